import type { Brand, OpaqueNumber } from './brand.ts';

/** Number of price increments. USD = ticks x the product's `price_increment`; a spread's may be zero or negative. */
export type Ticks = OpaqueNumber<'ticks'>;

/** A mean of prices in ticks: may be a fraction of one. */
export type FractionalTicks = OpaqueNumber<'fractional ticks'>;

/** US dollars as a decimal text with many fractional digits, for example `87500.0000000000`. Already converted. */
export type UsdText = Brand<string, 'usd text'>;

/** US dollars as a number on the wire. Already converted: dividing it by 100 is a mistake. */
export type Usd = OpaqueNumber<'usd'>;

/** Hundredths of a US dollar. USD = cents / 100. */
export type Cents = OpaqueNumber<'cents'>;

/** A count of contracts: whole, never negative. */
export type Contracts = OpaqueNumber<'contracts'>;

/**
 * A fraction per funding interval of eight hours: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts.
 * A year holds 3 x 365 intervals.
 */
export type RatePerInterval = OpaqueNumber<'rate per interval'>;

/** US dollars per tick, as the product's specification publishes it. A claim to be checked, not a fact. */
export type PriceIncrement = OpaqueNumber<'price increment'>;

/** A plain decimal: no exponent, no plus sign, no leading zeros; negative for a spread. */
export const USD_TEXT_PATTERN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
