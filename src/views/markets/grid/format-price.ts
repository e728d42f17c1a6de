import { countFractionDigits, formatNumber, NO_VALUE } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import type { Quantity } from '#domain/quantity.ts';

const LEAST = 2;
const MOST = 8;
/** Where an increment does not hold, as many digits as say anything. */
const SIGNIFICANT = 4;

/** Digits after the point of a product's prices: those of its increment. */
function countPriceDigits({ product, check, settlement }: Pick<MarketRow, 'product' | 'check' | 'settlement'>): number {
  const increment = product.price_increment;
  const holds = increment !== undefined && check.verdict !== 'off';
  const exponent = settlement?.value?.e ?? 0;
  const digits = holds ? countFractionDigits(String(increment)) : SIGNIFICANT - 1 - exponent;
  return Math.min(MOST, Math.max(LEAST, digits));
}

/** One price in a millionth of a dollar is not to make the column wide for all: its point stands where it must. */
const ALIGNED = 5;

/** The most that any usual row needs, so that points can stand below each other. */
export function countAlignedDigits(rows: readonly MarketRow[]): number {
  return rows.reduce((most, row) => Math.max(most, Math.min(ALIGNED, countPriceDigits(row))), LEAST);
}

/** A space as wide as a digit; it is not read out. */
const DIGIT_SPACE = '\u2007';

/** A price with its product's digits, filled up to the column's. */
export function formatPrice(row: MarketRow, { value }: Quantity, mostDigits: number, signed = false): string {
  if (value === null) return NO_VALUE;
  const digits = countPriceDigits(row);
  return formatNumber(value, { digits, signed }) + DIGIT_SPACE.repeat(Math.max(0, mostDigits - digits));
}
