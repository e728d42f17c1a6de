import type { Order } from '#contract/order.ts';

/** How a list of orders differs from the one before. An order that changed is another object: the earlier one is gone, the later one has come. */
export interface ExchangedOrders {
  readonly gone: ReadonlySet<Order>;
  readonly come: readonly Order[];
}

/**
 * Compares by identity, in one pass without a look-up: a list that is pushed keeps its order, and most of its objects.
 * Whatever moved counts as gone and come.
 */
export function findExchanged(before: readonly Order[], after: readonly Order[]): ExchangedOrders {
  const gone = new Set<Order>();
  const come: Order[] = [];
  let at = 0;
  for (const order of after) {
    let known = before[at];
    for (; known !== undefined && known !== order && known.id !== order.id; known = before[at]) {
      gone.add(known);
      at += 1;
    }
    at += 1;
    if (known === order) continue;
    if (known !== undefined) gone.add(known);
    come.push(order);
  }
  for (const order of before.slice(at)) gone.add(order);
  return { gone, come };
}
