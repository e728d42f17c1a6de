import { toNumber } from '#contract/brand.ts';
import { compareOrderIds, type OrderId } from '#contract/ids.ts';
import { compareInstants, type Instant } from '#contract/instant.ts';
import { wireText } from '#contract/json-text.ts';
import type { Order } from '#contract/order.ts';

/** A field as it came, with all its digits; null for null. */
export function toWireText(order: Order, field: keyof Order): string | null {
  return wireText(order, field);
}

/** Whole contracts, for sorting and bounds. */
export function countFilled({ quantity_filled: filled }: Order): number {
  return toNumber(filled);
}

export function countRequested({ quantity_requested: requested }: Order): number {
  return toNumber(requested);
}

/** Orders texts of order ids as the integers they are. */
export function compareIdTexts(a: string, b: string): number {
  return compareOrderIds(a as OrderId, b as OrderId);
}

/** Orders texts of instants to the nanosecond. */
export function compareTimeTexts(a: string, b: string): number {
  return compareInstants(a as Instant, b as Instant);
}
