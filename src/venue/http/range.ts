import { parseInstant } from '#contract/exchange/instant.ts';
import { addDays, settleInstant } from '../market/calendar.ts';
import type { Micros, SessionDate } from '../core/model.ts';

export interface RangeQuery {
  readonly begin_time?: readonly string[];
  readonly end_time?: readonly string[];
}

/** A range from `from` (inclusive) to `until` (exclusive). A reversed range is empty. */
export interface Range<Time> {
  readonly from: Time;
  readonly until: Time;
}

const DEFAULT_CHART_MICROS = 30 * 86_400_000_000;
const LAST_NANOS = BigInt(Number.MAX_SAFE_INTEGER) * 1_000n;

/** Returns the bounds of a query; null for one that is absent. `now` is after everything that has happened. */
export function toNanosRange({ begin_time, end_time }: RangeQuery): Range<bigint | null> {
  return { from: toNanos(begin_time?.[0]), until: toNanos(end_time?.[0]) };
}

/** Returns the range of a chart. By default it is the 30 days before the end, or before now. */
export function toChartRange(query: RangeQuery, now: Micros): Range<Micros> {
  const { from, until } = toNanosRange(query);
  const end = until === null ? afterNow(now) : toMicros(until);
  return { from: from === null ? Math.min(end, now) - DEFAULT_CHART_MICROS : toMicros(from), until: end };
}

/**
 * Returns a trading day, from settlement to settlement: 24 hours, or 23 or 25 when daylight saving changes. Weekends
 * count as days.
 */
export function toTradingDay(date: SessionDate): Range<Micros> {
  return { from: withinTime(settleInstant(addDays(date, -1))), until: withinTime(settleInstant(date)) };
}

/** Returns the first instant after now. */
export function afterNow(now: Micros): Micros {
  return now + 1;
}

/** Converts to microseconds. Rounding up makes a bound in nanoseconds separate whole microseconds correctly. */
export function toMicros(nanos: bigint): Micros {
  return withinTime(Number((nanos + 999n) / 1_000n));
}

/** Limits times to the years 1970 to 2255, where microseconds are safe integers and nanoseconds fit into 64 bits. */
function withinTime(micros: Micros): Micros {
  return Math.min(Math.max(micros, 0), Number.MAX_SAFE_INTEGER);
}

function toNanos(text: string | undefined): bigint | null {
  const nanos = text === undefined ? null : parseInstant(text);
  if (nanos === null) return null;
  return nanos < 0n ? 0n : nanos > LAST_NANOS ? LAST_NANOS : nanos;
}
