import { formatNumber, NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { countTickDigits } from '../../price/price-digits.ts';
import type { Quantity } from '../../units/quantity.ts';

const LEAST = 2;
const MOST = 8;
/** Of a price whose tick size is missing or failed the check. */
const SIGNIFICANT = 4;

/** Digits after the point of a product's prices: those of its tick size, so that they stay the same from one price to the next. */
function countDigits({ product, check, settlement }: Pick<MarketRow, 'product' | 'check' | 'settlement'>): number {
  const tickSize = product.price_increment;
  const isUsable = tickSize !== undefined && check.verdict !== 'off';
  const exponent = settlement?.value?.exponent() ?? 0;
  const digits = isUsable ? countTickDigits(String(tickSize)) : SIGNIFICANT - 1 - exponent;
  return Math.min(MOST, Math.max(LEAST, digits));
}

/** A product priced in millionths of a dollar would make the column wide for all: its point is not aligned. */
const MOST_ALIGNED = 5;

export function countAlignedDigits(rows: readonly MarketRow[]): number {
  return rows.reduce((most, row) => Math.max(most, Math.min(MOST_ALIGNED, countDigits(row))), LEAST);
}

/** A space as wide as a digit; screen readers skip it. */
const DIGIT_SPACE = '\u2007';

/** A price with its product's digits, padded to the column's. */
export function formatPrice(row: MarketRow, { value }: Quantity, alignedDigits: number, signed = false): string {
  if (value === null) return NO_VALUE;
  const digits = countDigits(row);
  return formatNumber(value, { digits, signed }) + DIGIT_SPACE.repeat(Math.max(0, alignedDigits - digits));
}
