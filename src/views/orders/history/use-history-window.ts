import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createPageWindow } from '#api/page-window/create-page-window.ts';
import { createOrderPages } from '#api/pages.ts';
import type { PageWindow, WindowView } from '#api/page-window/page-window.ts';
import { toRetryTime } from '#api/freshness.ts';
import { useDoor } from '#api/react.tsx';
import type { Order } from '#contract/order.ts';
import { isOpenEnded, toRequest, type Question } from './question.ts';
import { useWhenDue } from './use-when-due.ts';

/** Of one request: a page of so many is read in a moment and costs as much of the budget as one of ten. */
export const PAGE_ROWS = 500;
const MOST_PAGES = 10;
const AHEAD_ROWS = 150;
/** How often it is asked whether there is something newer. */
export const NEWER_SECONDS = 30;

export interface HistoryWindow {
  readonly window: PageWindow<Order>;
  readonly view: WindowView<Order>;
  /** When what failed is asked for again by itself, in epoch milliseconds; null: never, or nothing failed. */
  readonly retryAt: number | null;
}

export function useHistoryWindow(question: Question): HistoryWindow {
  const { api, now } = useDoor();
  const window = useMemo(() => {
    return createPageWindow<Order>({
      ask: createOrderPages(api, toRequest(question), PAGE_ROWS),
      direction: question.order,
      mostPages: MOST_PAGES,
      ahead: AHEAD_ROWS,
      now,
    });
  }, [api, now, question]);
  useEffect(() => {
    window.show({ from: 0, to: 0, readsOn: true, rereads: true });
    return window.close;
  }, [window]);
  const view = useSyncExternalStore(window.subscribe, window.read);
  const retryAt = useRetry(window, view);
  useLookForNewer(window, useMemo(() => isOpenEnded(question, now()), [question, now]), now);
  return { window, view, retryAt };
}

function useRetry(window: PageWindow<Order>, { trouble }: WindowView<Order>): number | null {
  const dueAt = trouble === null ? Infinity : toRetryTime(trouble.error, trouble.at);
  useWhenDue(dueAt, window.retry);
  return Number.isFinite(dueAt) ? dueAt : null;
}

function useLookForNewer(window: PageWindow<Order>, isOpen: boolean, now: () => number): void {
  const [dueAt, setDueAt] = useState(() => now() + NEWER_SECONDS * 1_000);
  const look = useCallback(() => {
    void window.lookForNewer();
    setDueAt(now() + NEWER_SECONDS * 1_000);
  }, [window, now]);
  useWhenDue(isOpen ? dueAt : Infinity, look);
}
