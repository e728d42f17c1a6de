import type { Day } from '#contract/exchange/instant.ts';
import { type Period, toPeriodStart } from '../../time/date-range.ts';
import { addDays, addMonths, weekdayOf, weekOf } from '../../time/session.ts';
import type { Drawing } from './drawing.ts';

/** The bars of a chart, by the first day of the session, week or month of each. */
export interface Bars {
  readonly keys: readonly Day[];
  readonly period: Period;
  /** Whether the product has a session every day. */
  readonly everyDay: boolean;
}

/** A drawing on the bars of a chart. */
export interface PlacedDrawing {
  readonly drawing: Drawing;
  /** The bar of each point. Those before the first bar are negative. */
  readonly bars: readonly number[];
}

interface Placed {
  readonly placed: readonly PlacedDrawing[];
  /** How many drawings lie wholly before or after the bars. */
  readonly outside: number;
}

/** Places drawings on bars. A line that begins before the first bar is still placed, since part of it is among them. */
export function placeDrawings(drawings: readonly Drawing[], bars: Bars): Placed {
  const all = drawings.map((drawing) => ({ drawing, bars: drawing.points.map(({ date }) => barOf(date, bars)) }));
  const count = bars.keys.length;
  const placed = all.filter(
    ({ drawing: { kind }, bars: at }) =>
      kind === 'level' || (at.some((bar) => bar < count) && at.some((bar) => bar >= 0)),
  );
  return { placed, outside: all.length - placed.length };
}

/**
 * Returns the bar that has a date. A date without a bar, such as a holiday, has the one before; beyond the bars, they
 * are counted on by the calendar.
 */
export function barOf(date: Day, bars: Bars): number {
  const { keys, period } = bars;
  const key = toPeriodStart(date, period);
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return -1;
  if (key < first) return Math.min(-1, positionOf(key, bars) - positionOf(first, bars));
  if (key > last) return keys.length - 1 + Math.max(1, positionOf(key, bars) - positionOf(last, bars));
  return keys.findLastIndex((each) => each <= key);
}

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
const SESSIONS_OF_WEEK = 5;
/** 1 January 1970 was a Thursday. */
const MONDAY_OFFSET = 3;

/** Counts bars since 1970 by the calendar, ignoring holidays. */
function positionOf(key: Day, { period, everyDay }: Bars): number {
  const days = Date.parse(key) / DAY_MS;
  if (period === '1M') return Number(key.slice(0, 4)) * 12 + Number(key.slice(5, 7));
  const weeks = Math.floor((days + MONDAY_OFFSET) / DAYS_OF_WEEK);
  if (period === '1W') return weeks;
  return everyDay ? days : weeks * SESSIONS_OF_WEEK + Math.min(weekdayOf(key), SESSIONS_OF_WEEK + 1);
}

/** Returns a day of a bar before or after the bars, counted on by the calendar as `barOf` does. */
export function dayAt(bar: number, { keys, period, everyDay }: Bars): Day {
  const [end, by] = bar < 0 ? [keys[0], bar] : [keys.at(-1), bar - keys.length + 1];
  if (end === undefined) throw new RangeError('There are no bars to count from.');
  if (period === '1M') return addMonths(end, by);
  if (period === '1W') return addDays(end, by * DAYS_OF_WEEK);
  if (everyDay) return addDays(end, by);
  const sessions = Math.min(weekdayOf(end), SESSIONS_OF_WEEK) - 1 + by;
  const weeks = Math.floor(sessions / SESSIONS_OF_WEEK);
  return addDays(weekOf(end), weeks * DAYS_OF_WEEK + sessions - weeks * SESSIONS_OF_WEEK);
}
