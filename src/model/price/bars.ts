import type { UsdText } from '#contract/exchange/amounts.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { compareInstants, type Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { isAscending } from '../time/session.ts';
import { type Period, toPeriodStart } from '../time/date-range.ts';
import { compareCodes } from '../compare-codes.ts';
import { compareDecimalTexts } from '../units/decimal.ts';

/** Prices of one or more sessions, with the exchange's digits. Null: withheld for at least one session. */
export interface Bar {
  /** Date of the first session. No time zone applies. */
  readonly date: Day;
  readonly lastDate: Day;
  readonly sessions: number;
  readonly open: UsdText | null;
  readonly high: UsdText | null;
  readonly low: UsdText | null;
  readonly close: UsdText | null;
  /** Settlement of the last session. */
  readonly settlement: UsdText | null;
  /** Null: withheld for at least one session. */
  readonly volume: number | null;
}

/** Makes daily bars, sorted by date. Of duplicates, the one that settled last counts. */
export function toDailyBars(points: readonly PriceDataPoint[]): readonly Bar[] {
  return orderSessions(points).map(({ date, ohlc, settlementPrice }) => ({
    date,
    lastDate: date,
    sessions: 1,
    open: ohlc.open,
    high: ohlc.high,
    low: ohlc.low,
    close: ohlc.close,
    settlement: settlementPrice,
    volume: ohlc.volume === null ? null : toNumber(ohlc.volume),
  }));
}

/** Sorts rows by ascending date. Of duplicates, the one that settled last counts. */
export function orderSessions(points: readonly PriceDataPoint[]): readonly PriceDataPoint[] {
  if (isAscending(points)) return points;
  const byDate = new Map<Day, PriceDataPoint>();
  for (const point of points) {
    const known = byDate.get(point.date);
    if (known === undefined || compareInstants(known.time, point.time) <= 0) byDate.set(point.date, point);
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Merges daily bars into bars of a period. */
export function toPeriodBars(daily: readonly Bar[], period: Period): readonly Bar[] {
  if (period === '1D') return daily;
  const bars: Bar[] = [];
  let current: Day | null = null;
  for (const bar of daily) {
    const key = toPeriodStart(bar.date, period);
    const last = bars.at(-1);
    if (last === undefined || key !== current) bars.push(bar);
    else bars[bars.length - 1] = mergeBars(last, bar);
    current = key;
  }
  return bars;
}

/** Merges two bars, of which one ends before the other begins. */
export function mergeBars(earlier: Bar, later: Bar): Bar {
  return {
    date: earlier.date,
    lastDate: later.lastDate,
    sessions: earlier.sessions + later.sessions,
    open: earlier.open,
    high: findExtreme(earlier.high, later.high, 1),
    low: findExtreme(earlier.low, later.low, -1),
    close: later.close,
    settlement: later.settlement,
    volume: earlier.volume === null || later.volume === null ? null : earlier.volume + later.volume,
  };
}

/** Returns the higher (1) or the lower (−1) of two prices; null if one is withheld. */
function findExtreme(a: UsdText | null, b: UsdText | null, sign: 1 | -1): UsdText | null {
  if (a === null || b === null) return null;
  return sign * compareDecimalTexts(a, b) >= 0 ? a : b;
}

/** Returns whether all prices of a bar are known. */
export function isPriced(bar: Bar): bar is PricedBar {
  return bar.open !== null && bar.high !== null && bar.low !== null && bar.close !== null && bar.settlement !== null;
}

/** Returns whether all traded prices of a bar are known. Its settlement may be withheld. */
export function hasTradedPrices(bar: Bar): boolean {
  return bar.open !== null && bar.high !== null && bar.low !== null && bar.close !== null;
}

export type PricedBar = Bar & Readonly<Record<'open' | 'high' | 'low' | 'close' | 'settlement', UsdText>>;

/** Returns whether the settlement of a bar is known. */
export function isSettled(bar: Bar): bar is SettledBar {
  return bar.settlement !== null;
}

export type SettledBar = Bar & Pick<PricedBar, 'settlement'>;

/** Sessions with volume and open interest but no traded prices. */
export interface DaysWithoutPrices {
  /** Sessions without trades. */
  readonly withoutTrades: readonly Day[];
  /** Sessions with trades whose prices are missing or withheld. */
  readonly unpriced: readonly Day[];
}

/** Bars ascend by date. */
export function findDaysWithoutPrices(
  settled: readonly Pick<VOIDataPoint, 'date' | 'volume'>[],
  bars: readonly Pick<Bar, 'date'>[],
): DaysWithoutPrices {
  const rows = findRowsWithoutBar(settled, bars);
  const traded = new Set(rows.filter(({ volume }) => volume !== null && toNumber(volume) > 0).map(({ date }) => date));
  const days = [...new Set(rows.map(({ date }) => date))];
  return { withoutTrades: days.filter((day) => !traded.has(day)), unpriced: days.filter((day) => traded.has(day)) };
}

/** Finds the rows of days without a bar, in ascending order. */
function findRowsWithoutBar<Row extends { readonly date: Day }>(
  rows: readonly Row[],
  bars: readonly Pick<Bar, 'date'>[],
): readonly Row[] {
  const ordered = isAscending(rows) ? rows : rows.toSorted((a, b) => compareCodes(a.date, b.date));
  const remaining = bars.values();
  let bar = remaining.next().value;
  return ordered.filter(({ date }) => {
    while (bar !== undefined && bar.date < date) bar = remaining.next().value;
    return bar?.date !== date;
  });
}
