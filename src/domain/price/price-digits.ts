import { commonFractionDigits } from '../format/number.ts';

const CENTS = 2;

/** Fraction digits of a product's USD prices: as many as the most precise price needs, and at least two. */
export function countPriceDigits(usd: Iterable<string>): number {
  return Math.max(CENTS, commonFractionDigits(usd));
}
