import { wireText } from '#contract/wire-text.ts';
import type { Order } from '#contract/order.ts';

/** How many other orders say the same as an order; most of them were sent twice by mistake. */
export interface Repetition {
  /** The same account, product, side and price. */
  readonly duplicates: number;
  /** The same quantity too. */
  readonly twins: number;
}

export function createRepetitionCount(orders: readonly Order[]): (order: Order) => Repetition {
  const [countDuplicates, countTwins] = [createCount(orders, toKey), createCount(orders, toTwinKey)];
  return (order) => ({ duplicates: countDuplicates(order), twins: countTwins(order) });
}

function createCount(orders: readonly Order[], keyOf: (order: Order) => string): (order: Order) => number {
  const counts = new Map<string, number>();
  for (const order of orders) {
    const key = keyOf(order);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (order) => (counts.get(keyOf(order)) ?? 1) - 1;
}

function toKey(order: Order): string {
  return [order.account_id, String(order.product_id), order.side, wireText(order, 'price')].join('\n');
}

function toTwinKey(order: Order): string {
  return `${toKey(order)}\n${wireText(order, 'quantity_requested') ?? ''}`;
}
