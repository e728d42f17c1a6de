import type { UsdText } from '#contract/amounts.ts';
import { toNumber } from '#contract/brand.ts';
import type { Day } from '#contract/day.ts';
import { compareInstants } from '#contract/instant.ts';
import type { PriceDataPoint } from '#contract/price-data.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { isAscending, monthOf, weekOf } from './calendar.ts';
import { compareCodes } from './compare-codes.ts';
import { compareDecimalTexts } from './decimal.ts';

export const PERIODS = ['1D', '1W', '1M'] as const;
export type Period = (typeof PERIODS)[number];

/** What a bar is, in words: weeks and months are computed here, and the screen says so. */
export const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '1D': 'daily sessions, as published',
  '1W': 'weeks from Monday, computed from daily sessions',
  '1M': 'calendar months, computed from daily sessions',
};

/** Said of bars longer than a session. */
export const WHOLE_FIRST_BAR = 'the first is whole';

/** What heads the dates of bars. */
export const SLOT_NAMES: Readonly<Record<Period, string>> = { '1D': 'Session', '1W': 'Week from', '1M': 'Month from' };

/** The date that names the bar a session is in: its own, the Monday of its week or the first of its month. */
export function toPeriodStart(day: Day, period: Period): Day {
  if (period === '1D') return day;
  return period === '1W' ? weekOf(day) : monthOf(day);
}

/** Prices of one or more sessions, each as the wire wrote it. */
export interface Bar {
  /** Date of the first session in it. Never moved by a zone. */
  readonly date: Day;
  readonly lastDate: Day;
  readonly sessions: number;
  readonly open: UsdText;
  readonly high: UsdText;
  readonly low: UsdText;
  readonly close: UsdText;
  /** Of the last session. */
  readonly settlement: UsdText;
  readonly volume: number;
}

/** Sessions in the order of their dates. One that came twice counts once, as it settled last. */
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
    volume: toNumber(ohlc.volume),
  }));
}

/** Rows by date, ascending, each date once: the row that settled last. */
export function orderSessions(points: readonly PriceDataPoint[]): readonly PriceDataPoint[] {
  if (isAscending(points)) return points;
  const byDate = new Map<Day, PriceDataPoint>();
  for (const point of points) {
    const known = byDate.get(point.date);
    if (known === undefined || compareInstants(known.time, point.time) <= 0) byDate.set(point.date, point);
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Daily bars put together to longer ones; daily ones stay as they are. */
export function toPeriodBars(daily: readonly Bar[], period: Period): readonly Bar[] {
  if (period === '1D') return daily;
  const bars: Bar[] = [];
  let current: Day | null = null;
  for (const bar of daily) {
    const key = toPeriodStart(bar.date, period);
    const last = bars.at(-1);
    if (last === undefined || key !== current) bars.push(bar);
    else bars[bars.length - 1] = join(last, bar);
    current = key;
  }
  return bars;
}

function join(earlier: Bar, later: Bar): Bar {
  return {
    date: earlier.date,
    lastDate: later.lastDate,
    sessions: earlier.sessions + later.sessions,
    open: earlier.open,
    high: compareDecimalTexts(earlier.high, later.high) >= 0 ? earlier.high : later.high,
    low: compareDecimalTexts(earlier.low, later.low) <= 0 ? earlier.low : later.low,
    close: later.close,
    settlement: later.settlement,
    volume: earlier.volume + later.volume,
  };
}

/** Sessions with a row of volume and open interest and none of prices. */
export interface BareDays {
  /** Nothing traded. */
  readonly tradeless: readonly Day[];
  /** Something did, and at what price is not known. */
  readonly unpriced: readonly Day[];
}

/** Bars ascend by date. */
export function findBareDays(settled: readonly Pick<VOIDataPoint, 'date' | 'volume'>[], bars: readonly Pick<Bar, 'date'>[]): BareDays {
  const bare = leaveOut(settled, bars);
  const traded = new Set(bare.filter(({ volume }) => volume !== null && toNumber(volume) > 0).map(({ date }) => date));
  const days = [...new Set(bare.map(({ date }) => date))];
  return { tradeless: days.filter((day) => !traded.has(day)), unpriced: days.filter((day) => traded.has(day)) };
}

/** Rows of days that no bar is of, ascending. Both are walked side by side: a chart has thousands of them. */
function leaveOut<Row extends { readonly date: Day }>(rows: readonly Row[], bars: readonly Pick<Bar, 'date'>[]): readonly Row[] {
  const ordered = isAscending(rows) ? rows : rows.toSorted((a, b) => compareCodes(a.date, b.date));
  const left = bars.values();
  let bar = left.next().value;
  return ordered.filter(({ date }) => {
    while (bar !== undefined && bar.date < date) bar = left.next().value;
    return bar?.date !== date;
  });
}
