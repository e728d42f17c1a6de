import { parseInstant } from '#contract/instant.ts';
import { settleInstant } from '../market/calendar.ts';
import { addDays } from '../market/chicago-time.ts';
import type { Micros, SessionDate } from '../model.ts';

export interface RangeQuery {
  readonly begin_time?: readonly string[];
  readonly end_time?: readonly string[];
}

/** From `from`, up to but without `until`. One that is empty or turned round holds nothing. */
export interface Range<Time> {
  readonly from: Time;
  readonly until: Time;
}

const DEFAULT_CHART_MICROS = 30 * 86_400_000_000;
const LAST_NANOS = BigInt(Number.MAX_SAFE_INTEGER) * 1_000n;

/** Null where there is no such bound. `now` is after everything that has happened. */
export function toNanosRange({ begin_time, end_time }: RangeQuery): Range<bigint | null> {
  return { from: toNanos(begin_time?.[0]), until: toNanos(end_time?.[0]) };
}

/** The last thirty days where no range is given; where only its end is, the thirty days before it. */
export function toChartRange(query: RangeQuery, now: Micros): Range<Micros> {
  const { from, until } = toNanosRange(query);
  const end = until === null ? afterNow(now) : toMicros(until);
  return { from: from === null ? Math.min(end, now) - DEFAULT_CHART_MICROS : toMicros(from), until: end };
}

/** From settlement to settlement: 24 hours, but 23 or 25 where daylight saving changes. Weekends are days too. */
export function toTradingDay(date: SessionDate): Range<Micros> {
  return { from: withinTime(settleInstant(addDays(date, -1))), until: withinTime(settleInstant(date)) };
}

/** The first instant that has not come yet. */
export function afterNow(now: Micros): Micros {
  return now + 1;
}

/** The first microsecond at or after it: so a bound to the nanosecond parts whole microseconds exactly. */
export function toMicros(nanos: bigint): Micros {
  return withinTime(Number((nanos + 999n) / 1_000n));
}

/** From 1970 to 2255: whole numbers, and 64 bits in nanoseconds. Everything on the exchange happens in between. */
function withinTime(micros: Micros): Micros {
  return Math.min(Math.max(micros, 0), Number.MAX_SAFE_INTEGER);
}

function toNanos(text: string | undefined): bigint | null {
  const nanos = text === undefined ? null : parseInstant(text);
  if (nanos === null) return null;
  return nanos < 0n ? 0n : nanos > LAST_NANOS ? LAST_NANOS : nanos;
}
