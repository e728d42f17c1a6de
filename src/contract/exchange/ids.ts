import { fromNumber, type Brand, type OpaqueNumber } from './brand.ts';

/**
 * An order's id: decimal digits beyond 2^53 (`7674028327896836521`). A text, never a JavaScript number; sort ids with
 * `compareOrderIds` only.
 */
export type OrderId = Brand<string, 'order id'>;

/** The id of the acknowledgement that opened an order, in the same format as an order's id. */
export type AckId = Brand<string, 'ack id'>;

/** A product's id. An identifier, not an amount. */
export type ProductId = OpaqueNumber<'product id'>;

/** Up to 39 digits (128 bits), not negative, without leading zeros. */
export const BIG_ID_PATTERN = /^(?:0|[1-9]\d{0,38})$/;
/** From 1 to 999999999. */
export const PRODUCT_ID_PATTERN = /^[1-9]\d{0,8}$/;

/** Compares ids as integers of any length, for `Array.sort`. */
export function compareOrderIds(a: OrderId, b: OrderId): number {
  const [left, right] = [withoutLeadingZeros(a), withoutLeadingZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(id: string): string {
  return id.startsWith('0') ? id.replace(/^0+(?=\d)/, '') : id;
}

/** Whether a text is an order id in the exchange's format. */
export function isOrderId(text: string): text is OrderId {
  return BIG_ID_PATTERN.test(text);
}

/** The product id that a text stands for, or null. */
export function parseProductId(text: string): ProductId | null {
  return PRODUCT_ID_PATTERN.test(text) ? fromNumber(Number(text)) : null;
}
