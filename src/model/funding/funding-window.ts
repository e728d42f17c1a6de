import { countIntervals, INTERVAL_MS, toAprOfSum } from './funding-rate.ts';
import type { Decimal } from '../units/decimal.ts';
import type { FundingFault } from './funding-faults.ts';
import type { FundingSeries } from './funding-series.ts';

/** A window in epoch milliseconds. Contains the intervals that end after `from` and not after `to`. */
export interface FundingWindow {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/** Returns the window of a number of days that ends at `to`. */
export function toWindow(days: number, to: number): FundingWindow {
  return { from: to - days * DAY_MS, to };
}

/** Realised funding of a window. Null means no value, which is not zero. */
export interface WindowMeasures {
  /** Number of settled rates without a fault, and of intervals since the listing. */
  readonly prints: number;
  readonly intervals: number;
  /** Intervals before the listing, which are not missing. */
  readonly notListed: number;
  /** Intervals that have not been read and may exist. */
  readonly notRead: number;
  /** Intervals after the newest settled rate that are not due yet. */
  readonly notSettled: number;
  /** Other intervals without a valid rate. */
  readonly missing: number;
  readonly sum: Decimal | null;
  /** Simple APR: mean settled rate × 1,095. */
  readonly apr: Decimal | null;
  /** Of the sample (n − 1); null for fewer than two rates. */
  readonly standardDeviation: Decimal | null;
  readonly positive: number;
  readonly baseline: number;
  readonly longestStreak: number;
}

export function measureWindow(series: FundingSeries, window: FundingWindow): WindowMeasures {
  const [from, to] = [findAfter(series, window.from), findAfter(series, window.to)];
  const prints = to - from;
  const coverage = countCoverage(series, window);
  const sum = prints === 0 ? null : series.sums.sum(from, to);
  return {
    prints,
    ...coverage,
    missing: Math.max(0, coverage.intervals - coverage.notRead - coverage.notSettled - prints),
    sum,
    apr: sum === null ? null : toAprOfSum(sum, prints),
    standardDeviation: series.sums.standardDeviation(from, to),
    positive: (series.positives[to] ?? 0) - (series.positives[from] ?? 0),
    baseline: (series.baselines[to] ?? 0) - (series.baselines[from] ?? 0),
    longestStreak: findLongestStreak(series.streaks, from, to),
  };
}

/** Returns the index of the first settled rate whose interval ends after a time. */
export function findAfter({ prints }: FundingSeries, time: number): number {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prints[middle]?.end ?? Infinity) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lists the faults of a window. Unreadable rates have no time, so they are always included. */
export function findFaultsIn(
  { faults }: Pick<FundingSeries, 'faults'>,
  { from, to }: FundingWindow,
): readonly FundingFault[] {
  return faults.filter((fault) => fault.kind === 'unreadable' || (fault.end > from && fault.end <= to));
}

type Coverage = Pick<WindowMeasures, 'intervals' | 'notListed' | 'notRead' | 'notSettled'>;

/** Splits a window at the listing, at the start of what was read, and at the newest rate that has settled or is due. */
function countCoverage(series: FundingSeries, { from, to }: FundingWindow): Coverage {
  const { listedFrom, knownFrom, expectedTo, isBehind } = series;
  const anchor = series.prints.at(-1)?.end ?? 0;
  const within = (time: number | null, least: number): number => Math.max(least, Math.min(time ?? -Infinity, to));
  const listedAt = within(listedFrom, from);
  const readAt = within(knownFrom, listedAt);
  const expectedAt = within(expectedTo, readAt);
  const after = countIntervals(expectedAt, to, anchor);
  return {
    intervals: countIntervals(listedAt, to, anchor),
    notListed: countIntervals(from, listedAt, anchor),
    notRead: countIntervals(listedAt, readAt, anchor) + (isBehind ? after : 0),
    notSettled: isBehind ? 0 : after,
  };
}

/** A streak that began before the window counts from the start of the window. */
function findLongestStreak(streaks: Int32Array, from: number, to: number): number {
  let longest = 0;
  for (let at = from; at < to; at += 1) {
    longest = Math.max(longest, Math.min(streaks[at] ?? 0, at - from + 1));
  }
  return longest;
}

/** Returns the newest funding time with a valid rate, or else the end of the newest interval. */
export function findNewestFundingTime(all: readonly FundingSeries[]): number {
  const sound = all.flatMap(({ prints }) => prints.at(-1)?.end ?? []);
  return Math.max(0, ...(sound.length > 0 ? sound : all.flatMap(({ settledTo }) => settledTo ?? [])));
}

/** Lists the funding times of a window, oldest first. `anchor` is one of them. */
export function listFundingTimes({ from, to }: FundingWindow, anchor: number): readonly number[] {
  const count = countIntervals(from, to, anchor);
  const last = anchor + Math.floor((to - anchor) / INTERVAL_MS) * INTERVAL_MS;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * INTERVAL_MS);
}
