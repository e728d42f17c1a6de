import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPageWindow, type PageWindow, type WindowView } from '#page/client/page-window/page-window.ts';
import { createOrderPages } from '#page/client/pages.ts';
import { toRetryTime } from '#page/client/freshness.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useOutage } from '#page/client/react/use-desk-status.ts';
import type { Order } from '#contract/exchange/order.ts';
import { type HistoryQuery, isOpenEnded, PAGE_ROWS, toRequest } from '#model/tables/orders/history-query.ts';

const MAX_PAGES = 10;
const PREFETCH_ROWS = 150;
/** How often the list is checked for newer rows. */
export const NEWER_SECONDS = 30;

export interface HistoryWindow {
  readonly window: PageWindow<Order>;
  readonly view: WindowView<Order>;
  /** Epoch milliseconds of the automatic retry; null if there is none. */
  readonly retryAt: number | null;
}

export function useHistoryWindow(query: HistoryQuery): HistoryWindow {
  const { api, now } = useApi();
  const window = useMemo(() => {
    return createPageWindow<Order>({
      fetchPage: createOrderPages(api, toRequest(query), PAGE_ROWS),
      direction: query.order,
      maxPages: MAX_PAGES,
      prefetchRows: PREFETCH_ROWS,
      now,
    });
  }, [api, now, query]);
  useEffect(() => {
    window.setViewport({ from: 0, to: 0, loadsMore: true, reloads: true });
    return window.close;
  }, [window]);
  const view = useSyncExternalStore(window.subscribe, window.read);
  const retryAt = useRetry(window, view);
  useCheckForNewer(
    window,
    useMemo(() => isOpenEnded(query, now()), [query, now]),
    now,
  );
  return { window, view, retryAt };
}

function useRetry(window: PageWindow<Order>, { failure }: WindowView<Order>): number | null {
  useRetryAfterOutage(window, failure !== null);
  const dueAt = failure === null ? Infinity : toRetryTime(failure.error, failure.at);
  useWhenDue(
    dueAt,
    useCallback(() => {
      window.retry();
    }, [window]),
  );
  return Number.isFinite(dueAt) ? dueAt : null;
}

/** Retries as soon as an outage ends, even if the next retry was due later. */
function useRetryAfterOutage(window: PageWindow<Order>, hasFailed: boolean): void {
  const isOut = useOutage() !== null;
  const wasOut = useRef(isOut);
  useEffect(() => {
    if (wasOut.current && !isOut && hasFailed) window.retry();
    wasOut.current = isOut;
  }, [window, isOut, hasFailed]);
}

function useCheckForNewer(window: PageWindow<Order>, isOpen: boolean, now: () => number): void {
  const [dueAt, setDueAt] = useState(() => now() + NEWER_SECONDS * 1_000);
  const check = useCallback(() => {
    void window.checkForNewer();
    setDueAt(now() + NEWER_SECONDS * 1_000);
  }, [window, now]);
  useWhenDue(isOpen ? dueAt : Infinity, check);
}

/** Acts at a time in epoch milliseconds, or later as soon as the page is visible. Infinity means never. */
function useWhenDue(dueAt: number, act: () => void): void {
  const { now } = useApi();
  useEffect(() => {
    if (!Number.isFinite(dueAt)) return undefined;
    let isDue = false;
    const actIfVisible = (): void => {
      if (!isDue || document.hidden) return;
      isDue = false;
      act();
    };
    const timer = setTimeout(
      () => {
        isDue = true;
        actIfVisible();
      },
      Math.max(0, dueAt - now()),
    );
    document.addEventListener('visibilitychange', actIfVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', actIfVisible);
    };
  }, [dueAt, act, now]);
}
