import { toNumber, type OpaqueNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/day.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { ProductTrailingStats } from '#contract/exchange/trailing-stats.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { dateOf } from '../time/session.ts';

/**
 * Evidence about prices, as floats: they decide, and are never shown as a price. A float has fifteen digits, a cent of a
 * billion dollars needs eleven.
 */

/** From lowest to highest. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A settlement in ticks, with its session. */
export interface TicksSettlement {
  readonly session: Day;
  readonly ticks: number;
}

export function isWithin(value: number, { low, high }: Range): boolean {
  return value >= low && value <= high;
}

export function scaleRange({ low, high }: Range, factor: number): Range {
  return { low: low * factor, high: high * factor };
}

export function joinRanges(ranges: readonly Range[]): Range | null {
  return ranges.length === 0
    ? null
    : { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
}

/** A row’s settlement with its session. */
export function toTicksSettlement(row: ProductData | undefined): TicksSettlement | null {
  if (row === undefined || row.settlement_time === null || row.settlement_price === null) return null;
  return { session: dateOf(row.settlement_time), ticks: toNumber(row.settlement_price) };
}

/** Prices in ticks of the session of a row, by magnitude; null without trades. */
export function toTicksRange({ low_price: low, high_price: high }: ProductData): Range | null {
  return low === null || high === null ? null : toMagnitudes({ low: toNumber(low), high: toNumber(high) });
}

/** Null where one of them is withheld. */
export function toUsdRange({ ohlc: { low, high } }: PriceDataPoint): Range | null {
  return low === null || high === null ? null : toMagnitudes({ low: Number(low), high: Number(high) });
}

/** A notional has no sign, a spread’s price may be negative. */
function toMagnitudes({ low, high }: Range): Range {
  const [a, b] = [Math.abs(low), Math.abs(high)];
  return { low: low < 0 && high > 0 ? 0 : Math.min(a, b), high: Math.max(a, b) };
}

/** The chart’s price, give or take half of its last digit; null where it is withheld. */
export function toChartSettlement({ settlementPrice: text }: PriceDataPoint): Range | null {
  const price = Number(text);
  if (text === null || price === 0) return null;
  const half = 0.5 / 10 ** (text.split('.')[1] ?? '').length;
  return { low: Math.abs(price) - half, high: Math.abs(price) + half };
}

/** The price per unit at which open interest was valued, give or take a cent of the value. */
export function toOpenInterestPrice(
  { openInterest, notionalOpenInterest }: VOIDataPoint,
  terms: ValueTerms,
): Range | null {
  return toMeanPrice(openInterest, notionalOpenInterest, { ...terms, unitsPerUsd: 100, error: 1 });
}

/** The mean price per unit of a session’s trades. Each trade may have been rounded to a cent. */
export function toSessionPrice({ volume, notionalVolume }: VOIDataPoint, terms: ValueTerms): Range | null {
  return volume === null
    ? null
    : toMeanPrice(volume, notionalVolume, { ...terms, unitsPerUsd: 100, error: toNumber(volume) / 2 + 1 });
}

/** The mean price per unit of the last 24 hours, whose value may be published in whole dollars. */
export function toTrailingPrice({ volume, notionalVolume }: ProductTrailingStats, terms: ValueTerms): Range | null {
  return volume === null
    ? null
    : toMeanPrice(volume, notionalVolume, { ...terms, unitsPerUsd: 1, error: toNumber(volume) / 200 + 1 });
}

/** What a value in USD is divided by, beside contracts. */
export interface ValueTerms {
  readonly size: number;
  /** Whether values may be negative, as those of a spread, whose prices may. */
  readonly mayBeNegative: boolean;
}

interface Scale extends ValueTerms {
  /** Units of the notional in a dollar. */
  readonly unitsPerUsd: number;
  /** How far the notional may be from the exact value. */
  readonly error: number;
}

type Amount = OpaqueNumber<string> | null;

function toMeanPrice(
  contracts: Amount,
  notional: Amount,
  { size, mayBeNegative, unitsPerUsd, error }: Scale,
): Range | null {
  if (contracts === null || notional === null) return null;
  const units = toNumber(contracts) * size * unitsPerUsd;
  const value = mayBeNegative ? Math.abs(toNumber(notional)) : toNumber(notional);
  if (units <= 0 || value === 0) return null;
  // A value within its own rounding still bounds the price from above.
  return value > 0
    ? { low: Math.max(0, value - error) / units, high: (value + error) / units }
    : { low: value / units, high: value / units };
}
