import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Contracts } from '#contract/exchange/amounts.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import { toMillis } from '../time/session.ts';
import type { Source } from '../response.ts';
import { type OrderTerms, type TermsOf, whyInDoubt } from './order-terms.ts';

/** An order without a withheld quantity. */
export type CountedOrder = Order & Readonly<Record<'quantity_requested' | 'quantity_filled', Contracts>>;

export function isCounted(order: Order): order is CountedOrder {
  return order.quantity_requested !== null && order.quantity_filled !== null;
}

/** The order of a row with the terms of its product. */
type TermedOrder = Pick<OrderRow, 'order' | 'terms'>;

/** Returns whether the order is part of sums: its quantities are known, and not in doubt. */
export function isSummed(row: TermedOrder): row is TermedOrder & { readonly order: CountedOrder } {
  return isCounted(row.order) && whyInDoubt(row.terms, 'quantity') === null;
}

/** Returns why a quantity of the order is withheld, or null. */
export function findQuantityReason(order: Order): string | null {
  return findWithheldReason(order, 'quantity_requested') ?? findWithheldReason(order, 'quantity_filled');
}

/** Returns the quantity that can still fill, as a float; null if it is unknown. */
export function toWorkingQuantity(row: TermedOrder): number | null {
  return isSummed(row) ? toNumber(row.order.quantity_requested) - toNumber(row.order.quantity_filled) : null;
}

/** An order in a list: the exchange's row, the terms of its product, and the response that contained it. */
export interface OrderRow {
  readonly order: Order;
  readonly terms: OrderTerms;
  readonly source: Source;
  /** Time of the response in epoch milliseconds of the exchange's clock, from which the order's age is computed. */
  readonly asOf: number;
  /**
   * Set if the latest response does not contain the order, which is then shown as last seen and excluded from sums.
   * Unread: the response was incomplete, so the order may still be working. Left: of two times compared, it was working
   * only at the earlier one.
   */
  readonly absent?: 'gone' | 'unread' | 'left';
  /** The same object across readings, until the order or its terms change. */
  readonly facts?: object;
  /** Number of other working orders with the same account, product, side and price. Not counted in the history. */
  readonly duplicates?: number;
  /** Number of these that have the same quantity as well. */
  readonly twins?: number;
  /** When the first response without the order was received, in epoch milliseconds of the browser's clock. */
  readonly goneAt?: number;
}

/** Copies the current state of a row, which later readings may change. */
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

/** Returns whether an order is known to have stopped working. */
export function isOver({ absent }: Pick<OrderRow, 'absent'>): boolean {
  return absent === 'gone' || absent === 'left';
}

/**
 * Returns an object that stays the same while the row, apart from its age, does. An absent order is a different row.
 */
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
export function toAsOf({ respondedAt, receivedAt, ageSeconds }: Source, aheadMs: number): number {
  return (respondedAt === null ? receivedAt - (ageSeconds ?? 0) * 1_000 : toMillis(respondedAt)) + aheadMs;
}

/** Tolerated difference between the clocks. */
const TOLERANCE_SECONDS = 1;

/**
 * Returns the seconds since the exchange accepted the order; for a closed order, until its last change. Null if a time
 * is withheld or a clock is wrong.
 */
export function toAgeSeconds({ order: { status, time, last_modified: lastModified }, asOf }: OrderRow): number | null {
  const end = status === 'Closed' ? lastModified && toMillis(lastModified) : asOf;
  const seconds = end === null ? NaN : (end - toMillis(time)) / 1_000;
  return seconds >= -TOLERANCE_SECONDS ? Math.max(0, seconds) : null;
}

/** Returns when the age of a working order starts, and from when on it is known: clocks may differ slightly. */
export function toKnownAge({ time }: Order): { readonly from: number; readonly knownFrom: number } {
  const from = toMillis(time);
  return { from, knownFrom: Math.ceil(from - TOLERANCE_SECONDS * 1_000) };
}

/**
 * Returns the product type as other screens name it. Orders for perpetuals have the type Future; only the product list
 * distinguishes them.
 */
export function toProductKind({
  order: { product_type: type },
  terms: { product },
}: Pick<OrderRow, 'order' | 'terms'>): string {
  return type === 'Future' && product?.type === 'perpetual' ? 'Perpetual' : type;
}

/** The status of an order, in words. */
interface OrderStatusText {
  readonly label: string;
  /** Whether the label is derived from quantities. The exchange reports only Working or Closed. */
  readonly derived: boolean;
  /** What the exchange reported, and how the label follows. */
  readonly explanation: string;
}

/** Describes the status of a row. The latest response may no longer contain it. */
export function toRowStatus({ order, terms: { doubt }, absent }: OrderRow): OrderStatusText {
  const reported = toOrderStatus(order);
  const status =
    doubt === null || !isCounted(order)
      ? reported
      : { label: `${doubt.of} in doubt`, derived: true, explanation: `${reported.explanation} ${doubt.reason}` };
  if (absent === undefined) return status;
  if (absent === 'gone' && order.status === 'Closed')
    return { ...status, explanation: `Order history: ${status.explanation}` };
  return {
    label: ABSENT_LABELS[absent],
    derived: true,
    explanation: `${ABSENT_REASONS[absent]} Last known: ${status.explanation}`,
  };
}

const ABSENT_LABELS: Readonly<Record<NonNullable<OrderRow['absent']>, string>> = {
  gone: 'No longer working',
  unread: 'Unconfirmed',
  left: 'No longer working',
};

export const ABSENT_REASONS: Readonly<Record<NonNullable<OrderRow['absent']>, string>> = {
  gone: 'The exchange no longer lists the order as working. Order history does not say yet how it closed.',
  unread: 'Missing from the latest response, which is incomplete: the order may still be working.',
  left: 'Working at the earlier of the two times, and no longer at the later one.',
};

/** Statuses that orders in a list of working orders may have once they are gone. */
export const GONE_STATUSES = ['No longer working', 'Filled', 'Closed, unfilled', 'Closed, partially filled'] as const;

/**
 * Describes the status of an order. The exchange never reports why an order closed, so no label claims that it was
 * cancelled or has expired.
 */
export function toOrderStatus(order: Order): OrderStatusText {
  if (!isCounted(order))
    return {
      label: 'Quantity withheld',
      derived: true,
      explanation: `The exchange reports ${order.status}. ${findQuantityReason(order) ?? ''}`,
    };
  const [filled, requested] = [toNumber(order.quantity_filled), toNumber(order.quantity_requested)];
  const explanation = `The exchange reports ${order.status}; ${String(filled)} of ${String(requested)} filled.`;
  switch (order.status) {
    case 'Working':
      if (filled === 0) return { label: 'Working', derived: false, explanation };
      return {
        label: filled === requested ? 'Filled, not yet closed' : 'Partially filled',
        derived: true,
        explanation,
      };
    case 'Closed':
      return {
        label: toClosedLabel(filled, requested),
        derived: true,
        explanation: `${explanation} How it closed is derived from these quantities.`,
      };
    default:
      return { label: order.status, derived: false, explanation };
  }
}

function toClosedLabel(filled: number, requested: number): string {
  if (filled === 0) return 'Closed, unfilled';
  return filled === requested ? 'Filled' : 'Closed, partially filled';
}
