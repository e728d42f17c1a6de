import type { DeskEstimates } from '#contract/desk-funding.ts';
import { wireText } from '#contract/json-text.ts';
import { toDecimal, type Decimal } from '../decimal.ts';

type EstimateKept = DeskEstimates['estimates'][number];

/** How far estimates read at about one share of an interval were off, in the end. */
export interface EstimateMiss {
  /** 0 to 1. */
  readonly share: number;
  /** n: intervals that settled and of which an estimate was read near that share. */
  readonly count: number;
  readonly median: Decimal | null;
  readonly largest: Decimal | null;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.98] as const;
/** An estimate counts for the share it was read nearest to, if no further from it than this. */
const TOLERANCE = 0.05;

/** Of each interval the estimate read nearest to each share. Intervals that have not settled are no evidence. */
export function missByShare(estimates: readonly EstimateKept[]): readonly EstimateMiss[] {
  const settled = estimates.filter(({ settled: rate }) => rate !== null);
  const intervals = Map.groupBy(settled, ({ base_symbol, interval_end }) => `${base_symbol} ${interval_end}`);
  return SHARES.map((share) => {
    const misses = [...intervals.values()].flatMap((reads) => toMiss(reads, share) ?? []).sort((a, b) => a.comparedTo(b));
    return { share, count: misses.length, median: toMedian(misses), largest: misses.at(-1) ?? null };
  });
}

function toMiss(reads: readonly EstimateKept[], wanted: number): Decimal | null {
  let nearest: EstimateKept | null = null;
  let distance = TOLERANCE;
  for (const read of reads) {
    const own = Math.abs(read.share - wanted);
    if (own > distance) continue;
    nearest = read;
    distance = own;
  }
  const settled = nearest === null ? null : wireText(nearest, 'settled');
  return nearest === null || settled === null ? null : toDecimal(wireText(nearest, 'estimate')).minus(settled).abs();
}

function toMedian(sorted: readonly Decimal[]): Decimal | null {
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : low.plus(high).div(2);
}
