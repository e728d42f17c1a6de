import { commonFractionDigits } from './format-number.ts';

/** Cents. */
const LEAST = 2;

/** Digits after the point of a product's prices in USD: as many as the one with the most needs, and at least two, so that they are the same on every screen. */
export function countPriceDigits(usd: Iterable<string>): number {
  return Math.max(LEAST, commonFractionDigits(usd));
}
