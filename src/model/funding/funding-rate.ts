import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { RatePerInterval } from '#contract/exchange/amounts.ts';
import type { ProductId } from '#contract/exchange/ids.ts';
import { FUNDING_INTERVAL_HOURS, type FundingRateData } from '#contract/exchange/market-data.ts';
import { compareInstants, type Instant, parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { formatRate } from '../format/number.ts';

/** The sign convention of rates: as published, or as received by a long or short position. */
export const FUNDING_SIDES = ['market', 'long', 'short'] as const;
export type FundingSide = (typeof FUNDING_SIDES)[number];

/** What the sign means, shown next to rates. */
export const SIDE_LABELS: Readonly<Record<FundingSide, string>> = {
  market: '+ longs pay shorts',
  long: 'Long position: + received, − paid',
  short: 'Short position: + received, − paid',
};

/** Returns whether the side inverts the sign: a long position pays positive rates. */
export function isInverted(side: FundingSide): boolean {
  return side === 'long';
}

/** Returns the sign as a factor, for charts. */
export function signOf(side: FundingSide): 1 | -1 {
  return isInverted(side) ? -1 : 1;
}

/** Converts a rate to a side's sign convention. Zero has no sign. */
export function toSide(rate: Decimal, side: FundingSide): Decimal {
  return isInverted(side) && !rate.isZero() ? rate.negated() : rate;
}

/** Names who pays: longs, if the rate is positive. */
export function namePayer(rate: Decimal): string {
  if (rate.isZero()) return 'no payment';
  return rate.isNegative() ? 'shorts pay' : 'longs pay';
}

/** Says who pays whom. */
export function describeFunding(rate: Decimal): string {
  const payer = namePayer(rate);
  if (rate.isZero()) return payer;
  return `${payer} ${rate.isNegative() ? 'longs' : 'shorts'}`;
}

/** The period and method by which rates are shown. */
export const RATE_FORMS = ['interval', 'day', 'apr', 'apy'] as const;
export type RateForm = (typeof RATE_FORMS)[number];

export interface RateFormLabel {
  /** Name in a menu. */
  readonly name: string;
  /** Unit in a column header, an axis or a file. */
  readonly unit: string;
  /** Fraction digits of the percentage. */
  readonly digits: number;
}

export const RATE_FORM_LABELS: Readonly<Record<RateForm, RateFormLabel>> = {
  interval: { name: 'per 8 h', unit: '% per 8 h', digits: 4 },
  day: { name: 'per day', unit: '% per day', digits: 4 },
  apr: { name: 'APR, simple', unit: '% APR, simple', digits: 2 },
  apy: { name: 'APY', unit: '% APY, compounded', digits: 2 },
};

/**
 * Converts a rate to a form. Unless the form is the rate itself, returns null for an interval that is not eight hours
 * long.
 */
export function toRateForm(rate: Decimal, form: RateForm, interval: FundingInterval): Decimal | null {
  switch (form) {
    case 'interval':
      return rate;
    case 'day':
      return toIntervalTimes(interval)?.usual === true ? rate.times(INTERVALS_PER_DAY) : null;
    case 'apr':
      return toApr(rate, interval);
    case 'apy':
      return toApy(rate, interval);
  }
}

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

/** Returns null if a time cannot be parsed. */
export function toIntervalTimes({ interval_start, interval_end }: FundingInterval): IntervalTimes | null {
  if (!WHOLE_SECONDS.test(interval_start) || !WHOLE_SECONDS.test(interval_end))
    return toFineTimes(interval_start, interval_end);
  // Ten times as fast as parsing nanoseconds, and a history has ninety thousand intervals.
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
 * Returns the end of windows: the newest funding time that has settled or is due. Rates may arrive before they are due,
 * but never a whole interval early.
 */
export function toWindowEnd(settledTo: number, dueTo: number | null): number {
  if (dueTo === null) return settledTo;
  return settledTo > dueTo + INTERVAL_MS ? dueTo : Math.max(settledTo, dueTo);
}

/** Counts the intervals that end after `from` and not after `to`, where one interval ends at `anchor`. */
export function countIntervals(from: number, to: number, anchor: number): number {
  return Math.max(0, Math.floor((to - anchor) / INTERVAL_MS) - Math.floor((from - anchor) / INTERVAL_MS));
}

export const INTERVALS_PER_DAY = 24 / FUNDING_INTERVAL_HOURS;
export const INTERVALS_PER_YEAR = INTERVALS_PER_DAY * 365;
const NANOS_PER_HOUR = 3_600_000_000_000n;

export interface FundingInterval {
  readonly interval_start: Instant;
  readonly interval_end: Instant;
}

/** Returns whether an interval has the length that annualised rates assume. */
function isUsualInterval({ interval_start, interval_end }: FundingInterval): boolean {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  return start !== null && end !== null && end - start === BigInt(FUNDING_INTERVAL_HOURS) * NANOS_PER_HOUR;
}

/**
 * Computes the simple APR: the sum over a year of such intervals. 0.0001 is 0.1095 (10.95 %). Null for an interval of
 * another length.
 */
export function toApr(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.times(INTERVALS_PER_YEAR) : null;
}

/**
 * Computes the APY: a year of such intervals, compounded. Shown only where APY is selected.
 *
 * @internal Exported for its test.
 */
export function toApy(rate: Decimal, interval: FundingInterval): Decimal | null {
  return isUsualInterval(interval) ? rate.plus(1).pow(INTERVALS_PER_YEAR).minus(1) : null;
}

/** Computes the simple APR of a sum over a number of intervals. */
export function toAprOfSum(sum: Decimal, intervals: number): Decimal | null {
  return intervals > 0 ? sum.times(INTERVALS_PER_YEAR).div(intervals) : null;
}

export interface IntervalProgress {
  /** Elapsed share of the interval, 0 to 1. */
  readonly elapsed: number;
  /**
   * The weight of the samples so far, as a share of the whole: later samples weigh more, so halfway it is a quarter.
   */
  readonly weight: number;
  /** Negative after the end. */
  readonly secondsLeft: number;
  /** Whether the interval has ended and its settlement is due. */
  readonly isOver: boolean;
  /** Whether the interval ends after the next funding time, so that it cannot be the current one. */
  readonly isAhead: boolean;
}

/** After its end, an interval takes up to this long to settle. */
const SETTLING_SECONDS = 60;

/** Computes the progress of an interval by the exchange's clock. */
export function toIntervalProgress(
  { interval_start, interval_end }: FundingInterval,
  epochMillis: number,
): IntervalProgress | null {
  const [start, end] = [parseInstant(interval_start), parseInstant(interval_end)];
  if (start === null || end === null || end <= start) return null;
  const [from, to] = [Number(start / 1_000_000n), Number(end / 1_000_000n)];
  const elapsed = Math.min(1, Math.max(0, (epochMillis - from) / (to - from)));
  const secondsLeft = (to - epochMillis) / 1_000;
  // Tolerance for the difference of the clocks.
  const isAhead = secondsLeft > FUNDING_INTERVAL_HOURS * 3_600 + SETTLING_SECONDS;
  return { elapsed, weight: elapsed ** 2, secondsLeft, isOver: secondsLeft <= -SETTLING_SECONDS, isAhead };
}

/** Returns the interval that follows a settled one, with the same length. */
export function toNextInterval({ interval_start, interval_end }: FundingInterval): FundingInterval | null {
  const [start, end] = [Date.parse(interval_start), Date.parse(interval_end)];
  return end > start
    ? {
        interval_start: interval_end,
        interval_end: new Date(2 * end - start).toISOString().replace('.000', '') as Instant,
      }
    : null;
}

/** Finds the current interval: that of the predicted rate, or the one after the last settled rate if that is later. */
export function findInProgress(
  next: FundingInterval | null,
  estimated: FundingInterval | null,
): FundingInterval | null {
  const isSettled =
    estimated === null || (next !== null && compareInstants(estimated.interval_end, next.interval_start) <= 0);
  return isSettled ? next : estimated;
}

/**
 * Per interval. Arbitrage keeps the premium of the book over the index, which rates follow, within a fraction of a
 * percent. This limit is 821 % a year, or 75 times the interest rate.
 */
export const PLAUSIBLE_RATE = 0.0075;
/**
 * Per interval. Exchanges set 0.01 %. Ten times that is 110 % a year; an interest rate mistakenly given in percent
 * would be a hundred times as high.
 */
const PLAUSIBLE_INTEREST = 0.001;

/** Why a rate is doubtful. It is counted all the same, because it is possible. */
export const IMPLAUSIBLE_RATE = 'beyond ±0.75 % per 8 h';
export const IMPLAUSIBLE_INTEREST = 'beyond ±0.1 % per 8 h';

export function isPlausibleRate(rate: number): boolean {
  return Math.abs(rate) <= PLAUSIBLE_RATE;
}

export function isPlausibleInterest(rate: number): boolean {
  return Math.abs(rate) <= PLAUSIBLE_INTEREST;
}

/** A rate that the exchange has published for an interval, perhaps among others. */
export type OtherRate = Pick<FundingRateData, 'product_id' | 'interval_end' | 'funding_rate'>;

/** A settled or predicted rate as published. */
export interface PublishedRate extends FundingInterval {
  readonly funding_rate: RatePerInterval;
  readonly product_id?: ProductId;
}

/** Returns why a rate is doubtful; null if it is not. `others` are known of the newest intervals. */
export function whyDoubtful(row: PublishedRate, others: readonly OtherRate[] = []): string | null {
  const times = toIntervalTimes(row);
  if (times?.usual !== true || times.start % INTERVAL_MS !== 0) return OTHER_INTERVAL;
  const rate = toNumber(row.funding_rate);
  if (!isPlausibleRate(rate)) return IMPLAUSIBLE_RATE;
  const other = others.find(
    ({ product_id: id, interval_end: end, funding_rate: published }) =>
      id === row.product_id && toNumber(published) !== rate && compareInstants(end, row.interval_end) === 0,
  );
  return other === undefined ? null : `also published as ${formatRate(toDecimal(String(other.funding_rate)))} %`;
}

const OTHER_INTERVAL = 'not of 8 h between two funding times';
