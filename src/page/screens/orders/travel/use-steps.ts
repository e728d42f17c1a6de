import { useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { toMillis } from '#model/time/session.ts';
import type { KeyBinding } from '#page/kit/keys/keyboard.ts';
import { useKeys } from '#page/kit/keys/use-keys.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import type { StepFilter } from '#model/tables/orders/step-filter.ts';
import { toAtText } from './travel-params.ts';

type Direction = 'back' | 'on';

export interface Steps {
  readonly step: (direction: Direction) => void;
  /** Why the last step led nowhere, or what it was of; empty where there is nothing to say. */
  readonly message: string;
}

interface StepsParts {
  readonly at: number;
  /** Of the list. */
  readonly filter: StepFilter;
  readonly goTo: (at: number) => void;
  readonly leave: () => void;
}

/** Goes to the reading before or after an instant that shows a change, also by `[` and `]`. */
export function useSteps({ at, filter, goTo, leave }: StepsParts): Steps {
  const { api } = useApi();
  const [outcome, setOutcome] = useState({ at, message: '' });
  const running = useRef<AbortController | null>(null);
  // A time that is chosen while a step is looked for stays.
  useEffect(() => () => running.current?.abort(), [at]);
  const step = async (direction: Direction): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { symbol, isWhole } = filter;
    const found = await findReading(api, { at, direction, symbol, signal: controller.signal }).catch(
      () => 'failed' as const,
    );
    if (controller.signal.aborted) return;
    if (typeof found === 'number') goTo(found);
    setOutcome(
      typeof found === 'number'
        ? { at: found, message: isWhole ? '' : 'A change of any order, including those that the filter hides.' }
        : { at, message: describeNone(found, direction) },
    );
  };
  const message = outcome.at === at ? outcome.message : '';
  useAnnounced(message === '' ? null : message);
  useStepKeys(step, leave);
  return { step: (direction) => void step(direction), message };
}

function describeNone(found: 'none' | 'failed', direction: Direction): string {
  if (found === 'failed') return 'The journal could not be read. Try again.';
  return direction === 'back' ? 'The journal has no earlier change.' : 'The journal has no later change yet.';
}

interface FindParts extends Pick<StepFilter, 'symbol'> {
  readonly at: number;
  readonly direction: Direction;
  readonly signal: AbortSignal;
}

/** How an order that is gone was closed is no change of what was working. */
const KINDS = CHANGE_KINDS.filter((kind) => kind !== 'ended');

/** The journal may need several pages to find a change of few orders. */
async function findReading({ desk }: Api, { at, direction, symbol, signal }: FindParts): Promise<number | 'none'> {
  const times =
    direction === 'back'
      ? { end_time: toAtText(at), order: 'desc' as const }
      : { begin_time: toAtText(at + 1), order: 'asc' as const };
  const request = { ...times, kind: KINDS, limit: 1, ...(symbol !== null && { symbol }) };
  for (let cursor: Cursor | null | undefined; ;) {
    const { value } = await desk.journalChanges(
      { ...request, ...(cursor && { cursor }) },
      { signal, purpose: 'interactive' },
    );
    const [change] = value.changes;
    if (change !== undefined) return toMillis(change.read_by);
    cursor = value.pagination.cursor;
    if (!cursor) return 'none';
  }
}

const GROUP = 'Time travel';

function useStepKeys(step: (direction: Direction) => Promise<void>, leave: () => void): void {
  const latest = useRef({ step, leave });
  useEffect(() => {
    latest.current = { step, leave };
  });
  const bindings = useMemo((): readonly KeyBinding[] => {
    const goBack = (): void => {
      void latest.current.step('back');
    };
    const goOn = (): void => {
      void latest.current.step('on');
    };
    const goLive = (): void => {
      latest.current.leave();
    };
    return [
      { keys: '[', label: 'Previous reading that shows a change', group: GROUP, run: goBack },
      { keys: ']', label: 'Next reading that shows a change', group: GROUP, run: goOn },
      { keys: 'Escape', label: 'Back to live', group: GROUP, run: goLive },
    ];
  }, []);
  useKeys(bindings);
}
