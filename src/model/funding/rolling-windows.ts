import { type Decimal, toDecimal } from '../units/decimal.ts';
import { countIntervals, type FundingSide, INTERVAL_MS, isInverted } from './funding-rate.ts';
import type { FundingSeries } from './funding-series.ts';
import { findAfter, type FundingWindow } from './funding-window.ts';
import type { Standing } from './rate-distribution.ts';

/** Where the mean of a window stands among those of all windows of its length in a past, itself included. */
export interface WindowStanding extends Standing {
  /** Start of the first window compared. */
  readonly from: number;
  /** Mean − mean of all, ÷ their sample standard deviation (n − 1); null if all are equal, or there is only one. */
  readonly zScore: Decimal | null;
}

/**
 * Compares a window with those of its length that lie in the past. Windows end at each funding time, so they overlap.
 * One with an interval missing is left out; null if that is the window itself.
 */
export function rankWindow(series: FundingSeries, window: FundingWindow, past: FundingWindow): WindowStanding | null {
  const [first, last] = [findAfter(series, window.from), findAfter(series, window.to)];
  const length = last - first;
  const isWhole = (from: number): boolean => {
    const [start, end] = [series.prints[from]?.start, series.prints[from + length - 1]?.end];
    return start !== undefined && end !== undefined && end - start === length * INTERVAL_MS;
  };
  const anchor = series.prints.at(-1)?.end ?? 0;
  if (length === 0 || length !== countIntervals(window.from, window.to, anchor) || !isWhole(first)) return null;
  // All windows are equally long, so their sums compare as their means do.
  const own = series.sums.sum(first, last);
  const starts = range(findAfter(series, past.from), findAfter(series, past.to) - length).filter(isWhole);
  const sums = starts.map((from) => series.sums.sum(from, from + length));
  return {
    intervals: sums.length,
    below: sums.filter((sum) => sum.lt(own)).length,
    equal: sums.filter((sum) => sum.eq(own)).length,
    from: series.prints[starts[0] ?? first]?.start ?? window.from,
    zScore: toZScore(own, sums),
  };
}

/** Both ends are included. */
function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

const ZERO = toDecimal('0');

function toZScore(own: Decimal, sums: readonly Decimal[]): Decimal | null {
  const count = sums.length;
  if (count < 2) return null;
  const total = sums.reduce((all, sum) => all.plus(sum), ZERO);
  const squares = sums.reduce((all, sum) => all.plus(sum.times(sum)), ZERO);
  // Multiplied by the count, so that nothing is rounded before the root.
  const spread = squares.times(count).minus(total.times(total));
  return spread.isZero()
    ? null
    : own
        .times(count)
        .minus(total)
        .div(
          spread
            .times(count)
            .div(count - 1)
            .sqrt(),
        );
}

/** Returns the z-score by a side’s sign convention. */
export function toSideZScore(standing: WindowStanding | null, side: FundingSide): Decimal | null {
  const score = standing?.zScore ?? null;
  return score !== null && isInverted(side) && !score.isZero() ? score.negated() : score;
}
