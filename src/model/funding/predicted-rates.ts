import type { DeskEstimates } from '#contract/desk/funding.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';

export type PredictedRate = DeskEstimates['estimates'][number];

/**
 * Lists the predicted rates of one interval in the order in which they were read. Of several read in the same second,
 * it lists only the last.
 */
export function toPredictedPath(estimates: readonly PredictedRate[], endsAt: number): readonly PredictedRate[] {
  const ofInterval = estimates
    .filter(({ interval_end }) => Date.parse(interval_end) === endsAt)
    .toSorted((a, b) => Date.parse(a.read_at) - Date.parse(b.read_at));
  return ofInterval.filter((each, index) => toSecond(each) !== toSecond(ofInterval[index + 1]));
}

function toSecond(predictedRate: PredictedRate | undefined): number | null {
  return predictedRate === undefined ? null : Math.floor(Date.parse(predictedRate.read_at) / 1_000);
}

/** Error of the predicted rates at about one share of an interval. */
export interface PredictedRateError {
  /** How much of the interval had passed, from 0 to 1. */
  readonly share: number;
  /** Settled intervals with a predicted rate near this share. */
  readonly count: number;
  readonly median: Decimal | null;
  readonly largest: Decimal | null;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.98] as const;
/** Maximum distance of a predicted rate from the share. */
const TOLERANCE = 0.05;

/**
 * Computes the error of predicted rates at several shares of an interval. For each settled interval, the predicted rate
 * nearest to a share counts.
 */
export function toPredictedRateErrors(estimates: readonly PredictedRate[]): readonly PredictedRateError[] {
  const settled = estimates.filter(({ settled: rate }) => rate !== null);
  const intervals = Map.groupBy(settled, ({ base_symbol, interval_end }) => `${base_symbol} ${interval_end}`);
  return SHARES.map((share) => {
    const errors = [...intervals.values()]
      .flatMap((predictedRates) => toError(predictedRates, share) ?? [])
      .sort((a, b) => a.comparedTo(b));
    return { share, count: errors.length, median: toMedian(errors), largest: errors.at(-1) ?? null };
  });
}

function toError(predictedRates: readonly PredictedRate[], wanted: number): Decimal | null {
  let nearest: PredictedRate | null = null;
  let distance = TOLERANCE;
  for (const predictedRate of predictedRates) {
    const itsDistance = Math.abs(predictedRate.share - wanted);
    if (itsDistance > distance) continue;
    nearest = predictedRate;
    distance = itsDistance;
  }
  const settled = nearest === null ? null : wireText(nearest, 'settled');
  return nearest === null || settled === null ? null : toDecimal(wireText(nearest, 'estimate')).minus(settled).abs();
}

function toMedian(sorted: readonly Decimal[]): Decimal | null {
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : low.plus(high).div(2);
}
