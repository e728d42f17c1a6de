import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants, type Day } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { PriceDataPoint, ProductTrailingStats, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { addDays, dateOf } from '../time/session.ts';
import { type OpaqueNumber, toNumber } from '#contract/exchange/brand.ts';

/**
 * Price evidence uses floats: it decides checks and is never shown. A float holds fifteen digits; a cent of a billion
 * dollars needs eleven.
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

export function pointAt(value: number): Range {
  return { low: value, high: value };
}

export function scaleRange({ low, high }: Range, factor: number): Range {
  return { low: low * factor, high: high * factor };
}

export function joinRanges(ranges: readonly Range[]): Range | null {
  return ranges.length === 0
    ? null
    : { low: Math.min(...ranges.map(({ low }) => low)), high: Math.max(...ranges.map(({ high }) => high)) };
}

/** Reads a row's settlement, with its session. */
export function toTicksSettlement(row: ProductData | undefined): TicksSettlement | null {
  if (row === undefined || row.settlement_time === null || row.settlement_price === null) return null;
  return { session: dateOf(row.settlement_time), ticks: toNumber(row.settlement_price) };
}

/** Prices in ticks may have a fraction, which a float cannot hold exactly. */
export const EQUAL_TICKS = 1e-6;

/** Returns whether the product has traded since its last settlement, so that the row is of the session in progress. */
export function hasTradedSince({
  last_price_time: at,
  settlement_time: settledAt,
}: Pick<ProductData, 'last_price_time' | 'settlement_time'>): boolean {
  return at !== null && settledAt !== null && compareInstants(at, settledAt) > 0;
}

/** Reads the low and high of a row's session in ticks, as magnitudes; null without trades. */
export function toTicksRange({ low_price: low, high_price: high }: ProductData): Range | null {
  return low === null || high === null ? null : toMagnitudes({ low: toNumber(low), high: toNumber(high) });
}

/** Returns null if low or high is withheld. */
export function toUsdRange({ ohlc: { low, high } }: PriceDataPoint): Range | null {
  return low === null || high === null ? null : toMagnitudes({ low: Number(low), high: Number(high) });
}

/** Converts prices to magnitudes, because a notional has no sign but the price of a spread may be negative. */
function toMagnitudes({ low, high }: Range): Range {
  const [a, b] = [Math.abs(low), Math.abs(high)];
  return { low: low < 0 && high > 0 ? 0 : Math.min(a, b), high: Math.max(a, b) };
}

/** Reads the chart's settlement, plus or minus half of its last digit; null where it is withheld. */
export function toChartSettlement({ settlementPrice: text }: PriceDataPoint): Range | null {
  const price = Number(text);
  if (text === null || price === 0) return null;
  const half = 0.5 / 10 ** (text.split('.')[1] ?? '').length;
  return { low: Math.abs(price) - half, high: Math.abs(price) + half };
}

/** Computes the price per unit at which open interest was valued, plus or minus a cent of the value. */
export function toOpenInterestPrice(
  { openInterest, notionalOpenInterest }: VOIDataPoint,
  terms: ValueTerms,
): Range | null {
  return toMeanPrice(openInterest, notionalOpenInterest, { ...terms, unitsPerUsd: 100, error: 1 });
}

/** Computes the mean price per unit of a session's trades. Each trade may have been rounded to a cent. */
export function toSessionPrice(
  { volume, notionalVolume }: Pick<VOIDataPoint, 'volume' | 'notionalVolume'>,
  terms: ValueTerms,
): Range | null {
  return volume === null
    ? null
    : toMeanPrice(volume, notionalVolume, { ...terms, unitsPerUsd: 100, error: toNumber(volume) / 2 + 1 });
}

/** Computes the mean price per unit of the last 24 hours, whose value may be published in whole dollars. */
export function toTrailingPrice({ volume, notionalVolume }: ProductTrailingStats, terms: ValueTerms): Range | null {
  return volume === null
    ? null
    : toMeanPrice(volume, notionalVolume, { ...terms, unitsPerUsd: 1, error: toNumber(volume) / 200 + 1 });
}

/** How a USD value relates to contracts: divided by contracts and by the contract size, it gives a price. */
export interface ValueTerms {
  readonly size: number;
  /** Whether values may be negative: only those of spreads, whose prices may be. */
  readonly mayBeNegative: boolean;
}

export function toValueTerms({ contract_size: contractSize, type }: DeskProduct): ValueTerms | null {
  const size = toFactor(contractSize);
  return size === null ? null : { size, mayBeNegative: mayBeNegative(type) };
}

export function mayBeNegative(type: DeskProduct['type']): boolean {
  return type === undefined || type === 'spread';
}

/** Parses a figure of the specification; null where it is missing or not positive. */
export function toFactor(field: number | OpaqueNumber<string> | undefined): number | null {
  const factor = field === undefined ? Number.NaN : Number(field);
  return factor > 0 ? factor : null;
}

interface Scale extends ValueTerms {
  /** Units of the notional per dollar. */
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
  // Even a value smaller than its own rounding limits the price from above. The difference of a spread may be zero.
  return units <= 0 || value < 0 || (value === 0 && mayBeNegative)
    ? null
    : { low: Math.max(0, value - error) / units, high: (value + error) / units };
}

/** Around a weekend, perpetuals and dated contracts settle on different days, and open interest follows a day later. */
const MOST_SESSIONS = 4;
const OLDEST_DAYS = 7;

/**
 * Finds the sessions whose product data the checks can use: those of the last settlements and of the newest open
 * interest. Sessions shared by most products come first; products that no longer trade contribute none.
 */
export function findCheckedSessions(days: readonly VOIDataPoint[], data: readonly ProductData[]): readonly Day[] {
  const newest = new Map<unknown, Day>();
  for (const { productId, date, openInterest } of days) {
    if (openInterest !== null && date > (newest.get(productId) ?? '')) newest.set(productId, date);
  }
  const counts = new Map<Day, number>();
  for (const session of [...newest.values(), ...data.flatMap((row) => toTicksSettlement(row)?.session ?? [])])
    counts.set(session, (counts.get(session) ?? 0) + 1);
  const latest = [...counts.keys()].reduce<Day | null>(
    (last, session) => (last !== null && last > session ? last : session),
    null,
  );
  const recent = [...counts].filter(([session]) => latest !== null && session > addDays(latest, -OLDEST_DAYS));
  return recent
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_SESSIONS)
    .map(([session]) => session);
}
