import { fromNumber, type Brand, type OpaqueNumber } from './brand.ts';

/**
 * An order's id: decimal digits that go beyond 2^53 (`7674028327896836521`). It is a text, never a JavaScript number,
 * and it is ordered by `compareOrderIds` only.
 */
export type OrderId = Brand<string, 'order id'>;

/** The id of the acknowledgement that opened an order: of the same form as an order's id. */
export type AckId = Brand<string, 'ack id'>;

/** A product's number. Small: it is an identifier, not an amount. */
export type ProductId = OpaqueNumber<'product id'>;

export const BIG_ID_PATTERN = /^(?:0|[1-9]\d{0,38})$/;
export const PRODUCT_ID_PATTERN = /^[1-9]\d{0,8}$/;

/** Compares ids as the integers they are: without leading zeros, the longer is the larger. */
export function compareOrderIds(a: OrderId, b: OrderId): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isOrderId(text: string): text is OrderId {
  return BIG_ID_PATTERN.test(text);
}

/** The product id a text names, or null where it names none. */
export function parseProductId(text: string): ProductId | null {
  return PRODUCT_ID_PATTERN.test(text) ? fromNumber(Number(text)) : null;
}
