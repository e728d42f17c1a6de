import type { Brand } from './brand.ts';

/** Number of price increments. USD = ticks x the product's `price_increment`; a spread's may be zero or negative. */
export type Ticks = Brand<number, 'ticks'>;

/** A mean of prices in ticks: may be a fraction of one. */
export type FractionalTicks = Brand<number, 'fractional ticks'>;

/** US dollars as a decimal text with many fractional digits, for example `87500.0000000000`. Already converted. */
export type UsdText = Brand<string, 'usd text'>;

/** US dollars as a number on the wire. Already converted: dividing it by 100 is a mistake. */
export type Usd = Brand<number, 'usd'>;

/** Hundredths of a US dollar. USD = cents / 100. */
export type Cents = Brand<number, 'cents'>;

/** A count of contracts: whole, never negative. */
export type Contracts = Brand<number, 'contracts'>;

/**
 * A fraction per funding interval of eight hours: 0.0001 is 0.01 %, one basis point. Positive: longs pay shorts.
 * A year holds 3 x 365 intervals.
 */
export type RatePerInterval = Brand<number, 'rate per interval'>;

/** US dollars per tick, as the product's specification publishes it. A claim to be checked, not a fact. */
export type PriceIncrement = Brand<number, 'price increment'>;

export const USD_TEXT_PATTERN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
