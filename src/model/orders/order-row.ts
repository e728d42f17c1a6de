import type { Order } from '#contract/exchange/order.ts';
import { toMillis } from '../time/session.ts';
import type { Source } from '../source.ts';
import type { OrderTerms, TermsOf } from './order-terms.ts';

/** An order in a list: the exchange's row, the terms of its product, and the response it came with. */
export interface OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly source: Source;
  /** Time of the response in epoch milliseconds of the exchange's clock, which the order's age refers to. */
  readonly asOf: number;
  /**
   * Set if the latest response does not contain the order: it is shown as it was, and excluded from sums. Unread: the
   * response was incomplete, so the order may still be working. Left: of two instants, it was working at the earlier one only.
   */
  readonly absent?: 'gone' | 'unread' | 'left';
  /** The same object for as long as the order and its terms are, in one reading after the other. */
  readonly facts?: object;
  /** How many other working orders have the same account, product, side and price. Not counted in the history. */
  readonly duplicates?: number;
  /** How many of these have the same quantity too. */
  readonly twins?: number;
  /** When the first response without a gone order was received, in epoch milliseconds of the browser's clock. */
  readonly goneAt?: number;
}

/** What a row says now, whatever it will say with later readings. */
export function copyRow({ order, terms, source, asOf, absent, duplicates, twins }: OrderRow): OrderRow {
  return {
    order,
    terms,
    source,
    asOf,
    ...(absent !== undefined && { absent }),
    ...(duplicates !== undefined && { duplicates }),
    ...(twins !== undefined && { twins }),
  };
}

export function isPresent({ absent }: OrderRow): boolean {
  return absent === undefined;
}

/** Whether an order is known to work no longer. */
export function isOver({ absent }: Pick<OrderRow, 'absent'>): boolean {
  return absent === 'gone' || absent === 'left';
}

/** What stays the same while a row says the same, but for its age. An order that is absent says something else. */
export function toFacts({ facts, absent }: OrderRow): object | undefined {
  return absent === undefined ? facts : undefined;
}

export function toOrderRows(
  orders: readonly Order[],
  source: Source,
  termsOf: TermsOf,
  aheadMs: number,
): readonly OrderRow[] {
  const asOf = toAsOf(source, aheadMs);
  return orders.map((order) => ({ order, terms: termsOf(order), source, asOf }));
}

/** `aheadMs`: how far the exchange's clock, which sets the times of orders, is ahead of Perpdesk's. */
export function toAsOf({ answeredAt, receivedAt, ageSeconds }: Source, aheadMs: number): number {
  return (answeredAt === null ? receivedAt - (ageSeconds ?? 0) * 1_000 : toMillis(answeredAt)) + aheadMs;
}

/** Tolerated difference of the clocks. */
const TOLERANCE_SECONDS = 1;

/** Seconds since the exchange accepted the order, to its last change if it is closed; null where a time is withheld or a clock is wrong. */
export function toAgeSeconds({ order: { status, time, last_modified: lastModified }, asOf }: OrderRow): number | null {
  const end = status === 'Closed' ? lastModified && toMillis(lastModified) : asOf;
  const seconds = end === null ? NaN : (end - toMillis(time)) / 1_000;
  return seconds >= -TOLERANCE_SECONDS ? Math.max(0, seconds) : null;
}

/** From when on the age of a working order counts, and from when on it is known: a clock may be a little wrong. */
export function toKnownAge({ time }: Order): { readonly from: number; readonly knownFrom: number } {
  const from = toMillis(time);
  return { from, knownFrom: Math.ceil(from - TOLERANCE_SECONDS * 1_000) };
}

/** The product type as other screens name it: orders for perpetuals have the type Future, but the directory knows better. */
export function toProductKind({
  order: { product_type: type },
  terms: { product },
}: Pick<OrderRow, 'order' | 'terms'>): string {
  return type === 'Future' && product?.type === 'perpetual' ? 'Perpetual' : type;
}
