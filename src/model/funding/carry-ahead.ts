import type { Decimal } from '../units/decimal.ts';
import { estimateCarry, type CarryPayment, type CarryPosition } from './carry.ts';
import type { FundingSeries } from './funding-series.ts';
import { measureWindow, toWindow, type WindowMeasures } from './funding-window.ts';
import { INTERVALS_PER_DAY } from './funding-rate.ts';

const DAYS = 30;

/** What a position would receive or pay if a rate and the price of the last funding time stayed as they are: an assumption, no forecast. */
export interface CarryAhead {
  readonly intervals: number;
  /** Those of the chosen period that have not settled; otherwise those of the next 30 days. */
  readonly isOfPeriod: boolean;
  /** In USD; null without a current predicted rate. */
  readonly atPredicted: Decimal | null;
  readonly mean: MeanAhead | null;
}

interface MeanAhead {
  readonly rate: Decimal;
  /** How many settled rates of the last 30 days it is the mean of. */
  readonly prints: number;
  readonly payment: Decimal;
}

export function toCarryAhead(
  series: FundingSeries,
  { notSettled }: Pick<WindowMeasures, 'notSettled'>,
  position: CarryPosition,
  predicted: CarryPayment | null,
): CarryAhead {
  const isOfPeriod = notSettled > 0;
  const intervals = isOfPeriod ? notSettled : DAYS * INTERVALS_PER_DAY;
  return {
    intervals,
    isOfPeriod,
    atPredicted: predicted?.payment.times(intervals) ?? null,
    mean: toMeanAhead(series, position, intervals),
  };
}

function toMeanAhead(series: FundingSeries, position: CarryPosition, intervals: number): MeanAhead | null {
  const { sum, prints } = measureWindow(series, toWindow(DAYS, series.endsAt ?? 0));
  if (sum === null) return null;
  const rate = sum.div(prints);
  const each = estimateCarry(series, position, rate);
  return each && { rate, prints, payment: each.payment.times(intervals) };
}
