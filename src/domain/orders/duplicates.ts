import { wireText } from '#contract/wire-text.ts';
import type { Order } from '#contract/order.ts';

/** Counts for each order how many others have the same account, product, side and price: most were sent twice by mistake. */
export function createDuplicateCount(orders: readonly Order[]): (order: Order) => number {
  const counts = new Map<string, number>();
  for (const order of orders) {
    const key = toKey(order);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (order) => (counts.get(toKey(order)) ?? 1) - 1;
}

function toKey(order: Order): string {
  return [order.account_id, String(order.product_id), order.side, wireText(order, 'price')].join('\n');
}
