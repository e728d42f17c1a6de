import { toNumber } from '#contract/brand.ts';
import type { Order } from '#contract/order.ts';
import type { OrderRow } from './order-row.ts';

/** How an order stands, in words. */
export interface OrderStanding {
  readonly word: string;
  /** Whether the word is worked out from quantities. The venue says no more than Working or Closed. */
  readonly derived: boolean;
  /** How it was worked out, a sentence; what the venue said where it was not. */
  readonly how: string;
}

/** How the order of a row stands, also of one that the last answer does not have any more. */
export function toRowStanding({ order, absent }: OrderRow): OrderStanding {
  const standing = toStanding(order);
  if (absent === undefined) return standing;
  return { word: ABSENT_WORDS[absent], derived: true, how: `${ABSENT_BECAUSE[absent]} Before: ${standing.how}` };
}

const ABSENT_WORDS: Readonly<Record<NonNullable<OrderRow['absent']>, string>> = { gone: 'Gone', unread: 'Unread' };

export const ABSENT_BECAUSE: Readonly<Record<NonNullable<OrderRow['absent']>, string>> = {
  gone: 'The last answer does not have it any more; why is not told.',
  unread: 'The last answer does not have it, but is not complete: it may rest still.',
};

type Figures = Pick<Order, 'status' | 'quantity_filled' | 'quantity_requested'>;

/** Why an order is closed is never told: whether somebody cancelled it or its time ran out is not for us to invent. */
export function toStanding(order: Figures): OrderStanding {
  const [filled, requested] = [toNumber(order.quantity_filled), toNumber(order.quantity_requested)];
  const told = `The venue says ${order.status}; ${String(filled)} of ${String(requested)} filled.`;
  if (filled > requested) return { word: 'More filled than asked', derived: true, how: told };
  switch (order.status) {
    case 'Working':
      if (filled === 0) return { word: 'Working', derived: false, how: told };
      return { word: filled === requested ? 'Working, filled' : 'Working, partly filled', derived: true, how: told };
    case 'Closed':
      return { word: toClosing(filled, requested), derived: true, how: `${told} Why it closed is derived from that.` };
    default:
      return { word: order.status, derived: false, how: told };
  }
}

function toClosing(filled: number, requested: number): string {
  if (filled === 0) return 'Closed unfilled';
  return filled === requested ? 'Filled' : 'Partly filled, then closed';
}
