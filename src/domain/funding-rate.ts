import { FUNDING_INTERVAL_HOURS } from '#contract/funding.ts';
import { compareInstants, parseInstant, type Instant } from '#contract/instant.ts';
import type { Decimal } from './decimal.ts';

export const INTERVALS_PER_DAY = 24 / FUNDING_INTERVAL_HOURS;
export const INTERVALS_PER_YEAR = INTERVALS_PER_DAY * 365;
const NANOS_PER_HOUR = 3_600_000_000_000n;

export interface FundingInterval {
  readonly interval_start: Instant;
  readonly interval_end: Instant;
}

/** Whether an interval is as long, by its own times, as annualising it assumes. */
function isUsualInterval({ interval_start, interval_end }: FundingInterval): boolean {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  return start !== null && end !== null && end - start === BigInt(FUNDING_INTERVAL_HOURS) * NANOS_PER_HOUR;
}

/** APR, simple: what a year of such intervals would sum up to. 0.0001 is 0.1095 (10.95 %). Null for another length. */
export function toApr(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.times(INTERVALS_PER_YEAR) : null;
}

/** APY: what a year of such intervals would make of a whole if each were reinvested. Only where it is asked for by name. */
export function toApy(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.plus(1).pow(INTERVALS_PER_YEAR).minus(1) : null;
}

/** Simple APR of a sum over so many intervals. */
export function toAprOfSum(sum: Decimal, intervals: number): Decimal | null {
  return intervals > 0 ? sum.times(INTERVALS_PER_YEAR).div(intervals) : null;
}

export interface IntervalProgress {
  /** How much of the interval has passed, 0 to 1. */
  readonly elapsed: number;
  /** How much of the final rate is fixed: later samples weigh more, so half-way it is a quarter. */
  readonly fixed: number;
  /** Below zero: since it has ended. */
  readonly secondsLeft: number;
  /** It has ended, and been settled as far as anybody would wait for that. */
  readonly isOver: boolean;
}

/** So long after its end an interval is being settled: its print, and the estimate of the next, may well still come. */
export const SETTLING_SECONDS = 60;

/** How far an interval has come, by the venue's clock. */
export function toIntervalProgress({ interval_start, interval_end }: FundingInterval, epochMillis: number): IntervalProgress | null {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  if (start === null || end === null || end <= start) return null;
  const [from, to] = [Number(start / 1_000_000n), Number(end / 1_000_000n)];
  const elapsed = Math.min(1, Math.max(0, (epochMillis - from) / (to - from)));
  const secondsLeft = (to - epochMillis) / 1_000;
  return { elapsed, fixed: elapsed ** 2, secondsLeft, isOver: secondsLeft <= -SETTLING_SECONDS };
}

/** The interval after one that has settled, as long as that was. */
export function toNextInterval({ interval_start, interval_end }: FundingInterval): FundingInterval | null {
  const [start, end] = [Date.parse(interval_start), Date.parse(interval_end)];
  return end > start ? { interval_start: interval_end, interval_end: new Date(2 * end - start).toISOString().replace('.000', '') as Instant } : null;
}

/** The interval in progress, as far as it is told: the one estimated, or the one after the last print if there is no estimate of a later one than that print. */
export function findInProgress(next: FundingInterval | null, estimated: FundingInterval | null): FundingInterval | null {
  const isSettled = estimated === null || (next !== null && compareInstants(estimated.interval_end, next.interval_start) <= 0);
  return isSettled ? next : estimated;
}
