import { wireText } from '#contract/exchange/wire-text.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import type { StoredPrediction } from './predicted-path.ts';

/** Error of the rates predicted at about one share of an interval. */
export interface PredictionError {
  /** 0 to 1. */
  readonly share: number;
  /** Settled intervals with a prediction near that share. */
  readonly count: number;
  readonly median: Decimal | null;
  readonly largest: Decimal | null;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.98] as const;
/** Maximum distance of a prediction from the share. */
const TOLERANCE = 0.05;

/** Of each settled interval, the prediction nearest to each share counts. */
export function toPredictionErrors(estimates: readonly StoredPrediction[]): readonly PredictionError[] {
  const settled = estimates.filter(({ settled: rate }) => rate !== null);
  const intervals = Map.groupBy(settled, ({ base_symbol, interval_end }) => `${base_symbol} ${interval_end}`);
  return SHARES.map((share) => {
    const errors = [...intervals.values()]
      .flatMap((predictions) => toError(predictions, share) ?? [])
      .sort((a, b) => a.comparedTo(b));
    return { share, count: errors.length, median: toMedian(errors), largest: errors.at(-1) ?? null };
  });
}

function toError(predictions: readonly StoredPrediction[], wanted: number): Decimal | null {
  let nearest: StoredPrediction | null = null;
  let distance = TOLERANCE;
  for (const prediction of predictions) {
    const itsDistance = Math.abs(prediction.share - wanted);
    if (itsDistance > distance) continue;
    nearest = prediction;
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
