import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import { findQuantityReason, isCounted } from './order-quantities.ts';
import type { OrderRow } from './order-row.ts';

/** The status of an order, for people. */
export interface OrderStatusText {
  readonly label: string;
  /** Whether the label is derived from quantities: the exchange reports only Working or Closed. */
  readonly derived: boolean;
  /** What the exchange reported, and how the label follows from it. */
  readonly explanation: string;
}

/** The status of a row, which the latest response may no longer contain. */
export function toRowStatus({ order, terms: { doubt }, absent }: OrderRow): OrderStatusText {
  const reported = toOrderStatus(order);
  const status =
    doubt === null || !isCounted(order)
      ? reported
      : { label: 'Product in doubt', derived: true, explanation: `${reported.explanation} ${doubt}` };
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

/** The statuses of orders that are gone, in a list of working orders. */
export const GONE_STATUSES = ['No longer working', 'Filled', 'Closed, unfilled', 'Closed, partially filled'] as const;

/** The exchange never reports why an order closed, so no label claims that it was cancelled or expired. */
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
