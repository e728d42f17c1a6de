import { toAprOfSum } from '../funding-rate.ts';
import type { Decimal } from '../decimal.ts';
import { INTERVAL_MS, countIntervals } from './interval-times.ts';
import type { FundingFault } from './find-faults.ts';
import type { FundingSeries } from './funding-series.ts';

/** A stretch of time in epoch milliseconds. A print belongs to it by its end: after `from`, and not after `to`. */
export interface FundingWindow {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/** The window of so many days that ends with the given boundary. */
export function toWindow(days: number, to: number): FundingWindow {
  return { from: to - days * DAY_MS, to };
}

/** What was realised over a window. Absent is null and never zero. */
export interface WindowMeasures {
  /** k and n of "k of n": settled prints that count, and intervals there were since the product was listed. */
  readonly prints: number;
  readonly intervals: number;
  /** Intervals of the window before the product was listed: they are not missing. */
  readonly notListed: number;
  /** Intervals before and after what has been read: they may well be there. */
  readonly notRead: number;
  /** Intervals after the newest print of all: the venue has not told of them yet. */
  readonly notSettled: number;
  /** The others of n without a print that counts. */
  readonly missing: number;
  readonly sum: Decimal | null;
  /** Simple: mean of the settled prints x 1,095. */
  readonly apr: Decimal | null;
  /** Of the sample (n - 1); null for fewer than two prints. */
  readonly deviation: Decimal | null;
  readonly positive: number;
  readonly baseline: number;
  readonly longestRun: number;
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
    deviation: series.sums.deviation(from, to),
    positive: (series.positives[to] ?? 0) - (series.positives[from] ?? 0),
    baseline: (series.baselines[to] ?? 0) - (series.baselines[from] ?? 0),
    longestRun: findLongestRun(series.runs, from, to),
  };
}

/** The place of the first print that ends after a moment. */
export function findAfter({ prints }: FundingSeries, moment: number): number {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prints[middle]?.end ?? Infinity) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What is wrong with the prints of a window; one whose times name no moment lies nowhere, so it is not left out. */
export function findFaultsIn({ faults }: Pick<FundingSeries, 'faults'>, { from, to }: FundingWindow): readonly FundingFault[] {
  return faults.filter((fault) => fault.kind === 'unreadable' || (fault.end > from && fault.end <= to));
}

type Coverage = Pick<WindowMeasures, 'intervals' | 'notListed' | 'notRead' | 'notSettled'>;

/** A window is cut where the product was listed, where reading begins, and where the newest print ends. */
function countCoverage(series: FundingSeries, { from, to }: FundingWindow): Coverage {
  const { listedFrom, knownFrom, settledTo, isBehind } = series;
  const anchor = series.prints.at(-1)?.end ?? 0;
  const within = (moment: number | null, least: number): number => Math.max(least, Math.min(moment ?? -Infinity, to));
  const listedAt = within(listedFrom, from);
  const readAt = within(knownFrom, listedAt);
  const settledAt = within(settledTo, readAt);
  const after = countIntervals(settledAt, to, anchor);
  return {
    intervals: countIntervals(listedAt, to, anchor),
    notListed: countIntervals(from, listedAt, anchor),
    notRead: countIntervals(listedAt, readAt, anchor) + (isBehind ? after : 0),
    notSettled: isBehind ? 0 : after,
  };
}

/** A run that began before the window counts from its beginning. */
function findLongestRun(runs: Int32Array, from: number, to: number): number {
  let longest = 0;
  for (let at = from; at < to; at += 1) {
    const run = Math.min(runs[at] ?? 0, at - from + 1);
    if (run > longest) longest = run;
  }
  return longest;
}

/** Where the newest print that counts ends: one of another length ends at no boundary. Without any, where the newest ends. */
export function findNewestBoundary(all: readonly FundingSeries[]): number {
  const sound = all.flatMap(({ prints }) => prints.at(-1)?.end ?? []);
  return Math.max(0, ...(sound.length > 0 ? sound : all.flatMap(({ settledTo }) => settledTo ?? [])));
}

/** Every boundary of a window, oldest first, of intervals of which one ends at `anchor`. */
export function listBoundaries({ from, to }: FundingWindow, anchor: number): readonly number[] {
  const count = countIntervals(from, to, anchor);
  const last = anchor + Math.floor((to - anchor) / INTERVAL_MS) * INTERVAL_MS;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * INTERVAL_MS);
}
