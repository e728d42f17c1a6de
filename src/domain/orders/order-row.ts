import type { Order } from '#contract/order.ts';
import type { Source } from '../source.ts';
import type { OrderTerms, TermsOf } from './order-terms.ts';

/** An order as a list has it: the venue's own row, what its product makes of it, and the answer it was read from. */
export interface OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly source: Source;
}

export function toOrderRows(orders: readonly Order[], source: Source, termsOf: TermsOf): readonly OrderRow[] {
  return orders.map((order) => ({ order, terms: termsOf(order.product_id), source }));
}
