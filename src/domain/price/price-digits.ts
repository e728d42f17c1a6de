import { commonFractionDigits } from '../format/number.ts';

const CENTS = 2;

/** Fraction digits of a product's USD prices: as many as the most precise price needs, and at least two. Null: withheld. */
export function countPriceDigits(usd: readonly (string | null)[]): number {
  return Math.max(CENTS, commonFractionDigits(usd.filter((text) => text !== null)));
}
