import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toMillis } from '../time/session.ts';

const SECOND = 1_000;
/** In a longer period, there may be more other orders than fit on a page. */
const MOST_SPAN_MS = 3_600_000;

/**
 * Returns the request to the order history that covers the most of the given orders: those accepted within an hour,
 * with every filter that they share, so that few other orders fall in between.
 */
export function toOutcomeRequest(orders: readonly Order[]) {
  const [newest, ...others] = toLargestCluster(orders);
  if (newest === undefined) return null;
  const isShared = (field: keyof Order): boolean => others.every((order) => order[field] === newest[field]);
  return {
    order: 'desc',
    begin_time: toInstant(toMillis((others.at(-1) ?? newest).time) - SECOND),
    end_time: toInstant(toMillis(newest.time) + SECOND),
    ...(isShared('product_id') && { product_id: newest.product_id }),
    ...(isShared('account_id') && { account_id: newest.account_id }),
  } as const;
}

/** Finds the largest cluster, newest order first; among equally large clusters, the newest. */
function toLargestCluster(orders: readonly Order[]): readonly Order[] {
  const sorted = orders.map((order) => ({ order, at: toMillis(order.time) })).sort((a, b) => b.at - a.at);
  let best = { first: 0, count: 0 };
  let end = 0;
  for (const [first, { at }] of sorted.entries()) {
    while (end < sorted.length && at - (sorted[end]?.at ?? NaN) <= MOST_SPAN_MS) end += 1;
    if (end - first > best.count) best = { first, count: end - first };
  }
  return sorted.slice(best.first, best.first + best.count).map(({ order }) => order);
}

/**
 * When an order was accepted if only its ID is known: between the orders with the next lower and the next higher ID.
 */
export interface TimesAround {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

export function toTimesAround(id: OrderId, orders: readonly Pick<Order, 'id' | 'time'>[]): TimesAround {
  let before: Pick<Order, 'id' | 'time'> | null = null;
  let after: Pick<Order, 'id' | 'time'> | null = null;
  for (const order of orders) {
    const difference = compareOrderIds(order.id, id);
    if (difference < 0 && (before === null || compareOrderIds(order.id, before.id) > 0)) before = order;
    if (difference > 0 && (after === null || compareOrderIds(order.id, after.id) < 0)) after = order;
  }
  return {
    from: before && toInstant(toMillis(before.time) - SECOND),
    to: after && toInstant(toMillis(after.time) + SECOND),
  };
}

function toInstant(millis: number): Instant {
  return new Date(millis).toISOString() as Instant;
}
