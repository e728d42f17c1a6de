import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createOrderPages } from '#page/client/pages.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import type { ReceivedStatus } from '#page/client/desk-status.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toOutcomeRequest } from '#model/orders/outcome-request.ts';
import { findUnexplained } from '#model/orders/tracked-orders.ts';
import type { HoldReason, LiveOrders } from './use-live-orders.ts';

interface RepeatedRead {
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** Returns the milliseconds until the next read. */
  readonly toDelay: () => number;
  readonly isHidden: () => boolean;
}

/**
 * Repeats a read while the page is visible, even after failures. Returns a function that stops it.
 * @internal Exported for its test.
 */
export function repeatReads({ read, toDelay, isHidden }: RepeatedRead): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = (): void => {
    // A read that is in progress when stopped ends later.
    if (controller.signal.aborted) return;
    timer = setTimeout(() => {
      if (isHidden()) schedule();
      else
        void read(controller.signal)
          .catch(() => undefined)
          .finally(schedule);
    }, toDelay());
  };
  schedule();
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

/** Gathers orders that close together, so that one request covers them. */
const GATHER_MS = 1_000;
/** Uses at most a tenth of the usual request budget. */
const EVERY_MS = 15_000;
/** The history may lag behind the list. After this many reads, an unexplained order is given up. */
const MOST_READS = 4;
const PAGE_ROWS = 500;

/**
 * Reads from the order history how orders left the list. One request covers as many as possible, and is sent only
 * while the budget is ample.
 */
export function useGoneOutcomes({ tracked, explain }: Pick<LiveOrders, 'tracked' | 'explain'>, held: HoldReason): void {
  const { api, now, queries } = useApi();
  const reads = useRef(new Map<OrderId, number>());
  const readAt = useRef(-Infinity);
  const unexplained = findUnexplained(tracked);
  const read = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    readAt.current = now();
    const orders = unexplained.map(({ order }) => order).filter(({ id }) => (reads.current.get(id) ?? 0) < MOST_READS);
    const request = toOutcomeRequest(orders);
    if (request === null) return;
    const response = await createOrderPages(api, request, PAGE_ROWS)(null, { signal, purpose: 'prefetch' });
    const rows = response.value.data;
    for (const { id } of orders.filter(isCovered(rows))) reads.current.set(id, (reads.current.get(id) ?? 0) + 1);
    if (!signal.aborted) explain(rows, response);
  });
  const isAmple = useQuery({ ...queries.desk.status({}), select: isBudgetAmple }).data === true;
  // While updates are held, nothing is read, because an outcome changes rows and may re-sort them.
  const isWanted = unexplained.length > 0 && held === null && isAmple;
  useEffect(() => {
    if (!isWanted) return undefined;
    // If a read fails, the orders show no outcome until it is repeated.
    return repeatReads({
      read: (signal) => read(signal),
      toDelay: () => Math.max(GATHER_MS, readAt.current + EVERY_MS - now()),
      isHidden: () => document.hidden,
    });
  }, [isWanted, now]);
}

/** Returns whether at least half of the budget is left. Below that, the list itself needs it more. */
function isBudgetAmple({ value: { budget } }: ReceivedStatus): boolean {
  return budget.limit === null || budget.used * 2 <= budget.limit.requests;
}

/**
 * Returns a test of whether a page, newest first, reaches back to an order. If the page is full, older orders are on
 * the next one.
 */
function isCovered(rows: readonly Order[]): (order: Order) => boolean {
  const last = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  return ({ id }) => last === undefined || compareOrderIds(id, last.id) >= 0;
}
