import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createOrderPages } from '#page/client/pages.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import type { ReceivedStatus } from '#page/client/venue-time.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toOutcomeRequest } from '#model/orders/outcome-request.ts';
import { findUnexplained } from '#model/orders/tracked-orders.ts';
import { repeatReads } from './repeat-reads.ts';
import type { HoldReason, LiveOrders } from './use-live-orders.ts';

/** Orders that close together are read together. */
const GATHER_MS = 1_000;
/** At most a tenth of the usual request budget. */
const EVERY_MS = 15_000;
/** History may lag behind the list; an order that it never explains is not read for again. */
const MOST_READS = 4;
const PAGE_ROWS = 500;

/** Reads from the order history how orders closed that are no longer working: one request for as many as it can have, and only while requests are plenty. */
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
  // An outcome changes rows, which may be sorted by it.
  const isWanted = unexplained.length > 0 && held === null && isAmple;
  useEffect(() => {
    if (!isWanted) return undefined;
    // Until a failed read is repeated, the orders have no outcome, as they say.
    return repeatReads({
      read: (signal) => read(signal),
      toDelay: () => Math.max(GATHER_MS, readAt.current + EVERY_MS - now()),
      isHidden: () => document.hidden,
    });
  }, [isWanted, now]);
}

/** While less than half of the budget is left, the list itself needs it more. */
function isBudgetAmple({ value: { budget } }: ReceivedStatus): boolean {
  return budget.limit === null || budget.used * 2 <= budget.limit.requests;
}

/** Whether a page, newest first, reaches back to the order: if it is full, older ones are on the next. */
function isCovered(rows: readonly Order[]): (order: Order) => boolean {
  const last = rows.length < PAGE_ROWS ? undefined : rows.at(-1);
  return ({ id }) => last === undefined || compareOrderIds(id, last.id) >= 0;
}
