import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/funding.ts';
import { compareInstants, parseInstant, type Instant } from '#contract/exchange/instant.ts';
import type { Decimal } from '../units/decimal.ts';

export const INTERVALS_PER_DAY = 24 / FUNDING_INTERVAL_HOURS;
export const INTERVALS_PER_YEAR = INTERVALS_PER_DAY * 365;
const NANOS_PER_HOUR = 3_600_000_000_000n;

export interface FundingInterval {
  readonly interval_start: Instant;
  readonly interval_end: Instant;
}

/** Whether an interval has the length that annualised rates assume. */
function isUsualInterval({ interval_start, interval_end }: FundingInterval): boolean {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  return start !== null && end !== null && end - start === BigInt(FUNDING_INTERVAL_HOURS) * NANOS_PER_HOUR;
}

/** Simple APR: the sum of a year of such intervals. 0.0001 is 0.1095 (10.95 %). Null for an interval of another length. */
export function toApr(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.times(INTERVALS_PER_YEAR) : null;
}

/** APY: a year of such intervals, compounded. Shown only where APY is selected. */
export function toApy(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.plus(1).pow(INTERVALS_PER_YEAR).minus(1) : null;
}

/** Simple APR of a sum over a number of intervals. */
export function toAprOfSum(sum: Decimal, intervals: number): Decimal | null {
  return intervals > 0 ? sum.times(INTERVALS_PER_YEAR).div(intervals) : null;
}

export interface IntervalProgress {
  /** Elapsed share of the interval, 0 to 1. */
  readonly elapsed: number;
  /** The samples so far, as a share of the weight of all: later ones weigh more, so halfway it is a quarter. */
  readonly weight: number;
  /** Negative after the end. */
  readonly secondsLeft: number;
  /** It has ended, and its settlement is due. */
  readonly isOver: boolean;
  /** Its end is later than the next funding time, so it cannot be the current one. */
  readonly isAhead: boolean;
}

/** After its end, an interval takes up to this long to settle. */
const SETTLING_SECONDS = 60;

/** The progress of an interval by the exchange's clock. */
export function toIntervalProgress(
  { interval_start, interval_end }: FundingInterval,
  epochMillis: number,
): IntervalProgress | null {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  if (start === null || end === null || end <= start) return null;
  const [from, to] = [Number(start / 1_000_000n), Number(end / 1_000_000n)];
  const elapsed = Math.min(1, Math.max(0, (epochMillis - from) / (to - from)));
  const secondsLeft = (to - epochMillis) / 1_000;
  // A moment's tolerance, as clocks differ.
  const isAhead = secondsLeft > FUNDING_INTERVAL_HOURS * 3_600 + SETTLING_SECONDS;
  return { elapsed, weight: elapsed ** 2, secondsLeft, isOver: secondsLeft <= -SETTLING_SECONDS, isAhead };
}

/** The interval after a settled one, with the same length. */
export function toNextInterval({ interval_start, interval_end }: FundingInterval): FundingInterval | null {
  const [start, end] = [Date.parse(interval_start), Date.parse(interval_end)];
  return end > start
    ? {
        interval_start: interval_end,
        interval_end: new Date(2 * end - start).toISOString().replace('.000', '') as Instant,
      }
    : null;
}

/** The current interval: the one with a predicted rate, or the one after the last settled rate if that is later. */
export function findInProgress(
  next: FundingInterval | null,
  estimated: FundingInterval | null,
): FundingInterval | null {
  const isSettled =
    estimated === null || (next !== null && compareInstants(estimated.interval_end, next.interval_start) <= 0);
  return isSettled ? next : estimated;
}
