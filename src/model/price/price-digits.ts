import { commonFractionDigits, countFractionDigits } from '../format/number.ts';

const CENTS = 2;
/** As many as the chart’s prices have. */
const MOST = 10;
/** A float has no more that mean anything: those beyond are what a calculation left behind. */
const SIGNIFICANT = 15;

/** Fraction digits of a product's USD prices: as many as the most precise price needs, and at least two. Null: withheld. */
export function countPriceDigits(usd: readonly (string | null)[]): number {
  return Math.max(
    CENTS,
    commonFractionDigits(
      usd.filter((text) => text !== null),
      MOST,
    ),
  );
}

/** Fraction digits of prices that are whole ticks: those of the tick size, which 0.21000000000000002 has two of. */
export function countTickDigits(tickSize: string): number {
  const meant = Number(Number(tickSize).toPrecision(SIGNIFICANT));
  return Math.min(MOST, Math.max(CENTS, countFractionDigits(String(meant))));
}
