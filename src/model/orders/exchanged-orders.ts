import type { Order } from '#contract/exchange/order.ts';

/** How a list of orders differs from the one before. */
export interface ExchangedOrders {
  readonly gone: ReadonlySet<Order>;
  readonly come: readonly Order[];
  /** Orders that changed, with what they are now: another object with the same id. */
  readonly changed: ReadonlyMap<Order, Order>;
}

/**
 * Compares by identity, in one pass without a look-up: a list that is pushed keeps its order, and most of its objects.
 * Whatever moved counts as gone and come.
 */
export function findExchanged(before: readonly Order[], after: readonly Order[]): ExchangedOrders {
  const gone = new Set<Order>();
  const come: Order[] = [];
  const changed = new Map<Order, Order>();
  let at = 0;
  for (const order of after) {
    let known = before[at];
    for (; known !== undefined && known !== order && known.id !== order.id; known = before[at]) {
      gone.add(known);
      at += 1;
    }
    at += 1;
    if (known === order) continue;
    if (known === undefined) come.push(order);
    else changed.set(known, order);
  }
  for (const order of before.slice(at)) gone.add(order);
  return { gone, come, changed };
}
