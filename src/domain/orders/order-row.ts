import type { Order } from '#contract/order.ts';
import { toMillis } from '../session.ts';
import type { Source } from '../source.ts';
import type { OrderTerms, TermsOf } from './order-terms.ts';

/** An order as a list has it: the venue's own row, what its product makes of it, and the answer it was read from. */
export interface OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly source: Source;
  /** Until when its age is counted, in epoch milliseconds of the venue's clock: when it had answered. */
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

/** `aheadMs`: how far the venue's clock, which orders have their times from, is ahead of the desk's. */
export function toOrderRows(orders: readonly Order[], source: Source, termsOf: TermsOf, aheadMs: number): readonly OrderRow[] {
  const answeredAt = source.answeredAt === null ? source.receivedAt - (source.ageSeconds ?? 0) * 1_000 : toMillis(source.answeredAt);
  const asOf = answeredAt + aheadMs;
  return orders.map((order) => ({ order, terms: termsOf(order.product_id), source, asOf }));
}

/** So far two clocks may seem to differ while they agree. */
const DOUBT_SECONDS = 1;

/** Seconds since the venue accepted it; null where its time, or the clocks, cannot be right. */
export function toAgeSeconds({ order, asOf }: OrderRow): number | null {
  const seconds = (asOf - toMillis(order.time)) / 1_000;
  return seconds >= -DOUBT_SECONDS ? Math.max(0, seconds) : null;
}
