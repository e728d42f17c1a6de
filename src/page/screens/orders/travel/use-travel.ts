import { useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { toMillis } from '#model/time/session.ts';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useKeys } from '#page/kit/use-keys.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { DIFFERENCE_NAMES, type StepFilter } from '#model/tables/orders/differences.ts';
import { atParam, parseAt, spanParam, toAtText, withParam } from './travel-params.ts';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { writeParam, writeQuery } from '#page/kit/navigator.ts';
import { DIFFERENCES } from '#model/orders/past-books.ts';
import { formatFilter } from '../list-state/list-query.ts';

/** The list's position in time, as in the address, in epoch milliseconds. */
export interface Travel {
  /** NaN if the address contains no valid time. */
  readonly at: number;
  /** Null if nothing is compared; NaN if the address contains no valid time. */
  readonly other: number | null;
  readonly goTo: (at: number) => void;
  /** Compares with another instant; null ends the comparison. */
  readonly compareWith: (other: number | null) => void;
  readonly leave: () => void;
}

export function useTravel(): Travel {
  const navigator = useNavigator();
  const [at] = useUrlState(atParam);
  const [other] = useUrlState(withParam);
  return useMemo(
    () => ({
      at: parseAt(at),
      other: other === '' ? null : parseAt(other),
      goTo: (next) => {
        writeParam(navigator, atParam, toAtText(next));
      },
      compareWith: (next) => {
        writeQuery(navigator, (query) => {
          if (next === null) dropComparison(query);
          else if (withParam.read(query) === '') query.append('f', DIFFERENT);
          withParam.write(query, next === null ? '' : toAtText(next));
        });
      },
      leave: () => {
        writeQuery(
          navigator,
          (query) => {
            atParam.write(query, '');
            withParam.write(query, '');
            spanParam.write(query, '24h');
            dropComparison(query);
          },
          'push',
        );
      },
    }),
    [navigator, at, other],
  );
}

/** A comparison initially shows only the orders that differ. */
const DIFFERENT = formatFilter('change', {
  kind: 'is',
  texts: DIFFERENCES.filter((kind) => kind !== 'same').map((kind) => DIFFERENCE_NAMES[kind]),
});

/** Removes parameters for columns that only a comparison has, and the list of working orders does not know. */
function dropComparison(query: URLSearchParams): void {
  const filters = query.getAll('f').filter((filter) => !/^(change|edits):/.test(filter));
  query.delete('f');
  for (const filter of filters) query.append('f', filter);
  for (const name of ['group', 'sort']) {
    const levels = (query.get(name) ?? '')
      .split(',')
      .filter((level) => level !== '' && !/^-?(change|edits)\b/.test(level));
    if (levels.length === 0) query.delete(name);
    else query.set(name, levels.join());
  }
}

type Direction = 'back' | 'on';

export interface Steps {
  readonly step: (direction: Direction) => void;
  /** Why the last step found nothing, or what it found; empty if there is nothing to say. */
  readonly message: string;
}

interface StepsInputs {
  readonly at: number;
  /** The list's filter. */
  readonly filter: StepFilter;
  readonly goTo: (at: number) => void;
  readonly leave: () => void;
}

/** Steps to the previous or next reading that shows a change, also by `[` and `]`. */
export function useSteps({ at, filter, goTo, leave }: StepsInputs): Steps {
  const { api } = useApi();
  const [outcome, setOutcome] = useState({ at, message: '' });
  const running = useRef<AbortController | null>(null);
  // Choosing a time cancels a step that is still searching.
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

interface FindInputs extends Pick<StepFilter, 'symbol'> {
  readonly at: number;
  readonly direction: Direction;
  readonly signal: AbortSignal;
}

/** An outcome (`ended`) explains a gone order, but is not a change of what was working. */
const KINDS = CHANGE_KINDS.filter((kind) => kind !== 'ended');

/** Finds the next reading with a change. With a filter for few orders, that may take several pages. */
async function findReading({ desk }: Api, { at, direction, symbol, signal }: FindInputs): Promise<number | 'none'> {
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
