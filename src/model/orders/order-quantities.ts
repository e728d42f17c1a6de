import type { Contracts } from '#contract/exchange/amounts.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Order } from '#contract/exchange/order.ts';
import { findWithheldReason } from '#contract/exchange/withheld.ts';

/** An order of which no quantity is withheld: only such an order is part of sums. */
export type CountedOrder = Order & Readonly<Record<'quantity_requested' | 'quantity_filled', Contracts>>;

export function isCounted(order: Order): order is CountedOrder {
  return order.quantity_requested !== null && order.quantity_filled !== null;
}

/** Why a quantity of the order is withheld, or null. */
export function findQuantityReason(order: Order): string | null {
  return findWithheldReason(order, 'quantity_requested') ?? findWithheldReason(order, 'quantity_filled');
}

/** Quantity that can still fill, as a float; null where it is not known. */
export function toWorkingQuantity(order: Order): number | null {
  return isCounted(order) ? toNumber(order.quantity_requested) - toNumber(order.quantity_filled) : null;
}
