import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { createPageWindow } from '#api/page-window/create-page-window.ts';
import type { PageWindow, WindowView } from '#api/page-window/page-window.ts';
import { toRetryTime } from '#api/freshness.ts';
import { useDoor } from '#api/react.tsx';
import type { Order } from '#contract/order.ts';
import { isOpenEnded, toRequest, type Question } from './question.ts';

/** Of one request. The interface names no maximum; a page of so many is read in a moment and costs as much as one of ten. */
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
    const request = toRequest(question);
    return createPageWindow<Order>({
      ask: (cursor, asking) => api.venue.orders({ ...request, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) }, asking),
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
  const retryAt = useRetry(window, view, now);
  useLookForNewer(window, useMemo(() => isOpenEnded(question, now()), [question, now]));
  return { window, view, retryAt };
}

function useRetry(window: PageWindow<Order>, { trouble }: WindowView<Order>, now: () => number): number | null {
  const dueAt = trouble === null ? Infinity : toRetryTime(trouble.error, trouble.at);
  useEffect(() => {
    if (!Number.isFinite(dueAt)) return undefined;
    const timer = setTimeout(window.retry, Math.max(0, dueAt - now()));
    return () => {
      clearTimeout(timer);
    };
  }, [window, dueAt, now]);
  return Number.isFinite(dueAt) ? dueAt : null;
}

function useLookForNewer(window: PageWindow<Order>, open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void window.lookForNewer();
    }, NEWER_SECONDS * 1_000);
    return () => {
      clearInterval(timer);
    };
  }, [window, open]);
}
