import type { Order } from '#contract/order.ts';
import { toOutcomeRequest } from '#domain/orders/outcome-request.ts';

/** The order history around one order, with that order open. */
export function toHistoryAddress(order: Order): string {
  const range = toOutcomeRequest([order]);
  const query = new URLSearchParams({ f: `product:is:${order.symbol}`, from: range?.begin_time ?? '', to: range?.end_time ?? '', order: order.id });
  return `/orders/history?${query.toString()}`;
}
