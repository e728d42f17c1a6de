import type { OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toOutcomeRequest, toTimesAround } from '#model/orders/outcome-request.ts';

/** The order history around one order, with that order open. */
export function toHistoryAddress(order: Order): string {
  const range = toOutcomeRequest([order]);
  const query = new URLSearchParams({
    f: `product:is:${order.symbol}`,
    from: range?.begin_time ?? '',
    to: range?.end_time ?? '',
    order: order.id,
  });
  return `/orders/history?${query.toString()}`;
}

/** The order history around an order of which only the id is known, by the orders in the list that were accepted before and after it. */
export function toHistoryAddressOf(id: OrderId, orders: readonly Order[]): string {
  const { from, to } = toTimesAround(id, orders);
  const query = new URLSearchParams({ ...(from !== null && { from }), ...(to !== null && { to }), order: id });
  return `/orders/history?${query.toString()}`;
}

/** The life of an order. */
export function toLifeAddress(id: string): string {
  return `/orders/life/${id}`;
}
