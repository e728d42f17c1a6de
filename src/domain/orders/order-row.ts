import type { Order } from '#contract/order.ts';
import { toMillis } from '../session.ts';
import type { Source } from '../source.ts';
import type { OrderTerms, TermsOf } from './order-terms.ts';

/** An order as a list has it: the venue's own row, what its product makes of it, and the answer it was read from. */
export interface OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly source: Source;
  /** Until when its age is counted, in epoch milliseconds: when the venue had answered. */
  readonly asOf: number;
  /**
   * Of an order that a list still shows though the last answer does not have it: it is as it was, and in no sum. By an
   * answer that is not complete nobody knows whether it is gone: it is unread.
   */
  readonly absent?: 'gone' | 'unread';
}

export function isPresent({ absent }: OrderRow): boolean {
  return absent === undefined;
}

export function toOrderRows(orders: readonly Order[], source: Source, termsOf: TermsOf): readonly OrderRow[] {
  const asOf = source.answeredAt === null ? source.receivedAt - (source.ageSeconds ?? 0) * 1_000 : toMillis(source.answeredAt);
  return orders.map((order) => ({ order, terms: termsOf(order.product_id), source, asOf }));
}

/** Seconds since the venue accepted it. */
export function toAgeSeconds({ order, asOf }: OrderRow): number {
  return (asOf - toMillis(order.time)) / 1_000;
}
