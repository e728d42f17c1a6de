import type { Brand, OpaqueNumber } from './brand.ts';

/**
 * A number of price increments. USD = ticks × the product's `price_increment`. The price of a spread may be zero or
 * negative.
 */
export type Ticks = OpaqueNumber<'ticks'>;

/** A mean of prices in ticks, which may have a fraction. */
export type FractionalTicks = OpaqueNumber<'fractional ticks'>;

/** US dollars as a decimal text with many fractional digits, for example `87500.0000000000`. Already converted. */
export type UsdText = Brand<string, 'usd text'>;

/** US dollars as a number on the wire. Already converted: it must not be divided by 100. */
export type Usd = OpaqueNumber<'usd'>;

/** Hundredths of a US dollar. USD = cents / 100. */
export type Cents = OpaqueNumber<'cents'>;

/** A count of contracts: whole, never negative. */
export type Contracts = OpaqueNumber<'contracts'>;

/**
 * A fraction per funding interval of eight hours: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts. A year
 * has 3 × 365 intervals.
 */
export type RatePerInterval = OpaqueNumber<'rate per interval'>;

/**
 * US dollars per tick, as published in the product's specification. Wrong for some products, so it is checked before
 * use.
 */
export type PriceIncrement = OpaqueNumber<'price increment'>;

/**
 * A plain decimal: no exponent, plus sign or leading zeros; negative for a spread. At most 15 digits before the point
 * and 40 after it, because a longer text would take seconds to format.
 */
export const USD_TEXT_PATTERN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,40})?$/;

const [SMALLEST, LARGEST] = [1e-30, 1e30];

/**
 * Returns whether a value is zero or in the range of amounts, so that products and ratios of several amounts do not
 * overflow.
 */
export function isAmount(value: unknown): value is number {
  const size = typeof value === 'number' ? Math.abs(value) : NaN;
  return size === 0 || (size >= SMALLEST && size <= LARGEST);
}

export function isUsdText(text: string): text is UsdText {
  return USD_TEXT_PATTERN.test(text);
}
