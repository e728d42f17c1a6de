import type { Decimal } from '../units/decimal.ts';
import { isBaseline, type FundingSeries } from './funding-series.ts';
import { HEATMAP_STEPS_BP } from './heatmap-cells.ts';
import { findAfter, type FundingWindow } from './funding-window.ts';

/** A range of rates in basis points, including its lower bound; null: unbounded. */
export interface RateBin {
  readonly kind: 'range' | 'baseline' | 'zero';
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

const EDGES = [...HEATMAP_STEPS_BP.toReversed().map((step) => -step), 0, ...HEATMAP_STEPS_BP];

/** Counts rates by size, lowest first, in fixed symmetric ranges. Rates exactly at the interest rate or at zero have their own. */
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
