import type { Decimal } from '../decimal.ts';
import { isBaseline, type FundingSeries } from './funding-series.ts';
import { HEAT_STEPS_BP } from './heat-cells.ts';
import { findAfter, type FundingWindow } from './funding-window.ts';

/** A range of rates in basis points; null at an open end. A rate that is its lower bound is in it. */
export interface RateBin {
  readonly kind: 'range' | 'baseline' | 'zero';
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

const EDGES = [...HEAT_STEPS_BP.toReversed().map((step) => -step), 0, ...HEAT_STEPS_BP];

/** How often rates were of each size, lowest first, by fixed symmetric steps; those exactly at the interest rate, and at zero, apart. */
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
  const ranges = counts.map((count, bin): RateBin => ({ kind: 'range', from: EDGES[bin - 1] ?? null, to: EDGES[bin] ?? null, count }));
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
