import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/funding.ts';
import { parseInstant, toEpochMillis, type Instant } from '#contract/exchange/instant.ts';
import type { FundingInterval } from './funding-rate.ts';

/** The usual length of an interval, which annualised rates assume. */
export const INTERVAL_MS = FUNDING_INTERVAL_HOURS * 3_600_000;
/** Without a fraction of a second. */
const WHOLE_SECONDS = /^.{19}(?:\.0+)?Z$/;

/** An interval in epoch milliseconds, truncated. */
export interface IntervalTimes {
  readonly start: number;
  readonly end: number;
  /** Exactly eight hours, to the nanosecond. */
  readonly usual: boolean;
}

/** Null where a time cannot be parsed. */
export function toIntervalTimes({ interval_start, interval_end }: FundingInterval): IntervalTimes | null {
  if (!WHOLE_SECONDS.test(interval_start) || !WHOLE_SECONDS.test(interval_end))
    return toFineTimes(interval_start, interval_end);
  // Ten times as fast as parsing nanoseconds; a history has ninety thousand intervals.
  const [start, end] = [Date.parse(interval_start), Date.parse(interval_end)];
  return Number.isNaN(start) || Number.isNaN(end) ? null : { start, end, usual: end - start === INTERVAL_MS };
}

function toFineTimes(from: Instant, to: Instant): IntervalTimes | null {
  const [start, end] = [parseInstant(from), parseInstant(to)];
  if (start === null || end === null) return null;
  return {
    start: toEpochMillis(start),
    end: toEpochMillis(end),
    usual: end - start === BigInt(INTERVAL_MS) * 1_000_000n,
  };
}

/**
 * Where windows end: at the newest funding time that has settled or, if that is later, should have by now. Rates may come
 * before they are due, but none comes an interval early.
 */
export function toWindowEnd(settledTo: number, dueTo: number | null): number {
  if (dueTo === null) return settledTo;
  return settledTo > dueTo + INTERVAL_MS ? dueTo : Math.max(settledTo, dueTo);
}

/** The number of intervals that end after `from` and not after `to`, where one of them ends at `anchor`. */
export function countIntervals(from: number, to: number, anchor: number): number {
  return Math.max(0, Math.floor((to - anchor) / INTERVAL_MS) - Math.floor((from - anchor) / INTERVAL_MS));
}
