import { POINT_REACH, PREDICTED_RATE_POINTS } from '#contract/desk/funding.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Decimal, sumOf, toDecimal } from '../units/decimal.ts';
import type { TimedPrint } from './funding-faults.ts';
import { type FundingSide, type RateForm, toRateForm, toSide } from './funding-rate.ts';
import type { FundingSeries } from './funding-series.ts';
import { findAfter, type FundingWindow } from './funding-window.ts';
import type { PredictedRate } from './predicted-rates.ts';

/** Percent of an interval that has elapsed. */
export type PredictedRatePoint = (typeof PREDICTED_RATE_POINTS)[number];

/** A settled rate, and what was predicted at each point of its interval if that was read shortly before. */
export interface Settlement extends TimedPrint {
  readonly predicted: ReadonlyMap<PredictedRatePoint, PredictedRate>;
}

/** Lists the settled rates of a window, newest first, each with its predictions among `estimates` of the perpetual. */
export function toSettlements(
  series: FundingSeries,
  estimates: readonly PredictedRate[],
  window: FundingWindow,
): readonly Settlement[] {
  const byEnd = Map.groupBy(estimates, ({ interval_end }) => Date.parse(interval_end));
  return series.prints
    .slice(findAfter(series, window.from), findAfter(series, window.to))
    .map((print) => ({ ...print, predicted: toPredicted(byEnd.get(print.end) ?? []) }))
    .toReversed();
}

function toPredicted(estimates: readonly PredictedRate[]): Settlement['predicted'] {
  return new Map(
    PREDICTED_RATE_POINTS.flatMap((point) => {
      const [latest] = estimates
        .filter(({ share }) => share >= (point - POINT_REACH) / 100 && share <= point / 100)
        .toSorted((a, b) => b.share - a.share);
      return latest === undefined ? [] : [[point, latest] as const];
    }),
  );
}

/** A predicted and the settled rate in a rate form, with the sign of a side, and the error: how much more was predicted. */
export interface ComparedRates {
  readonly predicted: Decimal;
  readonly settled: Decimal;
  readonly error: Decimal;
}

/** Compares a prediction with its settled rate; null without a prediction, or if the form does not apply. */
export function compareRates(
  { row, predicted }: Settlement,
  point: PredictedRatePoint,
  form: RateForm,
  side: FundingSide,
): ComparedRates | null {
  const estimate = predicted.get(point);
  if (estimate === undefined) return null;
  const convert = (text: string): Decimal | null => toRateForm(toSide(toDecimal(text), side), form, row);
  const [before, after] = [convert(wireText(estimate, 'estimate')), convert(wireText(row, 'funding_rate'))];
  return before && after && { predicted: before, settled: after, error: before.minus(after) };
}

/** How good the predictions at a point of the interval were. Without any, there is no figure, which is not zero. */
export interface PredictedRateFigures {
  readonly point: PredictedRatePoint;
  /** Settled rates, and those of them with a prediction at this point. */
  readonly settlements: number;
  readonly predicted: number;
  /** Mean error: positive if predictions were too high. */
  readonly bias: Decimal | null;
  readonly meanAbsolute: Decimal | null;
  /** The share of predictions with the sign of the settled rate; zero only agrees with zero. */
  readonly rightSign: Decimal | null;
}

export function measurePredictedRates(
  settlements: readonly Settlement[],
  point: PredictedRatePoint,
  form: RateForm,
  side: FundingSide,
): PredictedRateFigures {
  const compared = settlements.flatMap((each) => compareRates(each, point, form, side) ?? []);
  const mean = (read: (rates: ComparedRates) => Decimal): Decimal | null =>
    sumOf(compared.map(read))?.div(compared.length) ?? null;
  return {
    point,
    settlements: settlements.length,
    predicted: compared.length,
    bias: mean(({ error }) => error),
    meanAbsolute: mean(({ error }) => error.abs()),
    rightSign: mean(({ predicted, settled }) => (signOf(predicted) === signOf(settled) ? ONE : ZERO)),
  };
}

const [ZERO, ONE] = [toDecimal('0'), toDecimal('1')];

function signOf(rate: Decimal): number {
  return rate.comparedTo(ZERO);
}
