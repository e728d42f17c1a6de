import type { Order } from '#venue/core/model.ts';
import type { Changes } from '#venue/core/ports.ts';
import { makeOrder } from './sample-orders.ts';

export const ORDERS_PER_BATCH = 20;

/** Creates a batch of orders that also closes half of the previous batch. */
export function makeBatch(batch: number): Changes {
  const orders = ordersOf(batch);
  const ended =
    batch === 1
      ? []
      : ordersOf(batch - 1)
          .filter((_, n) => n % 2 === 0)
          .map(closed);
  const trades = orders.map(({ productId, price }) => ({ productId, time: batch, price, quantity: 1, cents: price }));
  return { orders: [...orders, ...ended], trades, facts: { batch: String(batch) } };
}

export function ordersOf(batch: number): readonly Order[] {
  return Array.from({ length: ORDERS_PER_BATCH }, (_, n) => makeOrder(batch * ORDERS_PER_BATCH + n));
}

function closed(order: Order): Order {
  return { ...order, status: 'Closed' };
}
