import type { Bar } from './bars.ts';
import { compareDecimalTexts, toDecimal, type Decimal } from './decimal.ts';
import type { Day } from '#contract/day.ts';

export interface Change {
  readonly absolute: Decimal;
  /** Of the earlier price; null where that is zero or negative, as a spread's may be: a percentage of it says nothing. */
  readonly fraction: Decimal | null;
}

/** How a price moved from one to another. */
export function toChange(from: Decimal, to: Decimal): Change {
  const absolute = to.minus(from);
  return { absolute, fraction: from.gt(0) ? absolute.div(from) : null };
}

export interface RangeStatistics {
  readonly first: Bar;
  readonly last: Bar;
  readonly high: Bar;
  readonly low: Bar;
  /** From the first settlement to the last. */
  readonly change: Change;
}

/** What happened over a range; null where there is no bar in it. */
export function toRangeStatistics(bars: readonly Bar[]): RangeStatistics | null {
  const [first] = bars;
  const last = bars.at(-1);
  if (first === undefined || last === undefined) return null;
  const high = bars.reduce((best, bar) => (compareDecimalTexts(bar.high, best.high) > 0 ? bar : best));
  const low = bars.reduce((best, bar) => (compareDecimalTexts(bar.low, best.low) < 0 ? bar : best));
  return {
    first,
    last,
    high,
    low,
    change: toChange(toDecimal(first.settlement), toDecimal(last.settlement)),
  };
}

export interface IndexedSeries {
  readonly points: readonly { readonly date: Day; readonly index: Decimal }[];
}

/**
 * Settlements of several products as an index, 100 on the first day that all of them have. Null where there is no such
 * day, or a price on it is not above zero.
 */
export function indexTogether(series: readonly (readonly Bar[])[]): { readonly base: Day; readonly series: readonly IndexedSeries[] } | null {
  const dates = series.map((bars) => new Set(bars.map(({ date }) => date)));
  const base = series[0]?.find(({ date }) => dates.every((known) => known.has(date)))?.date;
  if (base === undefined) return null;
  const indexed = series.map((bars) => indexFrom(base, bars));
  return indexed.every((one) => one !== null) ? { base, series: indexed } : null;
}

function indexFrom(base: Day, bars: readonly Bar[]): IndexedSeries | null {
  const from = bars.findIndex(({ date }) => date === base);
  const divisor = toDecimal(bars[from]?.settlement ?? '0');
  if (!divisor.gt(0)) return null;
  return { points: bars.slice(from).map(({ date, settlement }) => ({ date, index: toDecimal(settlement).times(100).div(divisor) })) };
}
