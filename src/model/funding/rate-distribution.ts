import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { FundingYearRank } from '#contract/desk/funding.ts';
import { type FundingSide, isInverted } from './funding-rate.ts';
import { type FundingSeries, isBaseline } from './funding-series.ts';
import { HEATMAP_STEPS_BP } from './heatmap-cells.ts';
import { findAfter, type FundingWindow } from './funding-window.ts';

export type RankOrder = 'highest first' | 'lowest first' | 'most extreme first';

/** Ranks values. Equal values share a rank; missing values have none. */
export function rankValues(values: readonly (Decimal | null)[], order: RankOrder): readonly (number | null)[] {
  const present = values.filter((value) => value !== null);
  const isBefore = (a: Decimal, b: Decimal): boolean => (order === 'lowest first' ? a.lt(b) : a.gt(b));
  return values.map((value) => (value === null ? null : 1 + present.filter((other) => isBefore(other, value)).length));
}

/** Where a rate stands among those of a number of intervals, or the mean of a window among those of as many windows. */
export type Standing = Pick<FundingYearRank, 'intervals' | 'below' | 'equal'>;

/** 90 intervals are a month. A percentile of fewer would mean nothing. */
export const FEWEST_COMPARED = 90;

/** Returns the share that is lower by a side's sign convention, counting equal ones as half; null with too few. */
export function toPercentile(standing: Standing | null, side: FundingSide): Decimal | null {
  if (standing === null || standing.intervals < FEWEST_COMPARED) return null;
  return toDecimal(String(standing.equal)).div(2).plus(countLower(standing, side)).div(standing.intervals);
}

/** Counts lower rates. To a long position, which pays, a higher rate counts as lower. */
export function countLower({ intervals, below, equal }: Standing, side: FundingSide): number {
  return isInverted(side) ? intervals - below - equal : below;
}

/** Returns why there is no percentile, or null. */
export function whyNoYearPercentile(rank: FundingYearRank | null): string | null {
  if (rank === null) return 'No settled rate, or the exchange reports different rates for the latest interval.';
  if (rank.intervals < FEWEST_COMPARED)
    return (
      `Only ${String(rank.intervals)} settled rates in the last 365 days; at least ` +
      `${String(FEWEST_COMPARED)} are needed.`
    );
  return null;
}

/** A range of rates in basis points. It includes its lower bound; null: unbounded. */
export interface RateBin {
  readonly kind: 'range' | 'baseline' | 'zero';
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

const EDGES = [...HEATMAP_STEPS_BP.toReversed().map((step) => -step), 0, ...HEATMAP_STEPS_BP];

/**
 * Counts rates in fixed symmetric ranges, lowest first. Rates equal to the interest rate or to zero have ranges of
 * their own.
 */
export function distributeRates(series: FundingSeries, window: FundingWindow): readonly RateBin[] {
  const [from, to] = [findAfter(series, window.from), findAfter(series, window.to)];
  const counts = new Array<number>(EDGES.length + 1).fill(0);
  let [baseline, zero] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const print = series.prints[at];
    if (print === undefined) continue;
    const rate = series.rate(at);
    if (isBaseline(print.row)) baseline += 1;
    else if (rate.isZero()) zero += 1;
    else {
      const bin = binOf(rate);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  const ranges = counts.map((count, bin): RateBin => ({
    kind: 'range',
    from: EDGES[bin - 1] ?? null,
    to: EDGES[bin] ?? null,
    count,
  }));
  const exact = (kind: 'baseline' | 'zero', count: number): RateBin => ({ kind, from: null, to: null, count });
  return ranges.flatMap((range) => {
    if (range.from === 0) return [exact('zero', zero), range, exact('baseline', baseline)];
    return [range];
  });
}

function binOf(rate: Decimal): number {
  const basisPoints = rate.times(10_000);
  const bin = EDGES.findIndex((edge) => basisPoints.lt(edge));
  return bin === -1 ? EDGES.length : bin;
}
