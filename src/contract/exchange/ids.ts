import { fromNumber, type Brand, type OpaqueNumber } from './brand.ts';

/**
 * ID of an order: decimal digits beyond 2^53 (`7674028327896836521`). A text, never a JavaScript number; only
 * `compareOrderIds` sorts IDs correctly.
 */
export type OrderId = Brand<string, 'order id'>;

/** ID of the acknowledgement that opened an order, in the format of an order's ID. */
export type AckId = Brand<string, 'ack id'>;

/** ID of a product: an identifier, not an amount. */
export type ProductId = OpaqueNumber<'product id'>;

/** Up to 39 digits (128 bits), not negative, without leading zeros. */
export const BIG_ID_PATTERN = /^(?:0|[1-9]\d{0,38})$/;
/** From 1 to 999999999. */
export const PRODUCT_ID_PATTERN = /^[1-9]\d{0,8}$/;

/** Compares IDs as integers of any length, for `Array.sort`. */
export function compareOrderIds(a: OrderId, b: OrderId): number {
  const [left, right] = [withoutLeadingZeros(a), withoutLeadingZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(id: string): string {
  return id.startsWith('0') ? id.replace(/^0+(?=\d)/, '') : id;
}

/** Returns whether a text is an order ID in the exchange's format. */
export function isOrderId(text: string): text is OrderId {
  return BIG_ID_PATTERN.test(text);
}

/** Parses a product ID; null if the text is not one. */
export function parseProductId(text: string): ProductId | null {
  return PRODUCT_ID_PATTERN.test(text) ? fromNumber(Number(text)) : null;
}
