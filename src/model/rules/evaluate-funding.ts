import type { FundingRule } from '#contract/desk/rules.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { INTERVAL_MS, toIntervalTimes } from '../funding/interval-times.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';
import { isMissing, NO_EVIDENCE, type Evaluation, type FundingReading, type Missing } from './readings.ts';
import { judge } from './verdict.ts';

interface FundingData {
  readonly venueNow: number | null;
  readonly fundingOf: (baseSymbol: string) => FundingReading;
}

/** In percent, of the interval that ends then. */
interface Rate {
  readonly percent: Decimal;
  readonly end: number;
}

export function evaluateFunding(rule: FundingRule, data: FundingData): Evaluation {
  const value = measure(rule, data);
  if ('missing' in value) return value;
  const holds =
    'holds' in value
      ? value.holds
      : judge(value.value, { comparison: rule.comparison ?? 'over', value: rule.value ?? 0 });
  return [{ group: '', holds, value: value.value, because: null, evidence: NO_EVIDENCE }];
}

type Measured = { readonly value: Decimal } | { readonly value: Decimal; readonly holds: boolean } | Missing;

function measure(rule: FundingRule, { venueNow, fundingOf }: FundingData): Measured {
  const own = (): FundingReading => fundingOf(rule.base_symbol);
  switch (rule.measure) {
    case 'time_left':
      return toTimeLeft(venueNow);
    case 'predicted_rate':
      return toPredicted(own(), venueNow);
    case 'settled_rate':
      return toValue(findSettled(own(), 0));
    case 'difference':
      return toDifference(findSettled(own(), 0), findSettled(fundingOf(rule.against ?? ''), 0));
    case 'flip':
      return toFlip(findSettled(own(), 0), findSettled(own(), 1));
  }
}

const MINUTE_MS = 60_000;

/** Funding times are the same for all perpetuals. */
function toTimeLeft(venueNow: number | null): Measured {
  if (venueNow === null) return { missing: 'The exchange’s clock is not known yet.' };
  return { value: new Decimal(INTERVAL_MS - (venueNow % INTERVAL_MS)).div(MINUTE_MS) };
}

function toPredicted({ predicted }: FundingReading, venueNow: number | null): Measured {
  if (isMissing(predicted)) return predicted;
  const end = toIntervalTimes(predicted)?.end;
  if (end === undefined || (venueNow !== null && end < venueNow))
    return { missing: 'The interval of the predicted rate has ended, and the next rate has not arrived.' };
  return { value: toPercent(wireText(predicted, 'funding_rate')) };
}

function toValue(rate: Rate | Missing): Measured {
  return isMissing(rate) ? rate : { value: rate.percent };
}

function toDifference(own: Rate | Missing, other: Rate | Missing): Measured {
  if (isMissing(own)) return own;
  if (isMissing(other)) return other;
  if (own.end !== other.end) return { missing: 'The newest settled rates of the two are of different intervals.' };
  return { value: own.percent.minus(other.percent) };
}

function toFlip(newest: Rate | Missing, before: Rate | Missing): Measured {
  if (isMissing(newest)) return newest;
  if (isMissing(before)) return before;
  return { value: newest.percent, holds: newest.percent.times(before.percent).isNegative() };
}

/** The rate of the newest interval, or of one before it. */
function findSettled({ settled }: FundingReading, place: number): Rate | Missing {
  if (isMissing(settled)) return settled;
  const byEnd = Map.groupBy(settled, (print) => toIntervalTimes(print)?.end ?? NaN);
  const [end, prints] = [...byEnd].filter(([time]) => !Number.isNaN(time)).sort(([a], [b]) => b - a)[place] ?? [
    NaN,
    [],
  ];
  const [first, ...others] = prints;
  if (first === undefined) return { missing: 'The exchange publishes no settled rate of that interval.' };
  if (others.some((other) => rateText(other) !== rateText(first)))
    return { missing: 'The exchange publishes two settled rates of one interval.' };
  return { percent: toPercent(rateText(first)), end };
}

function rateText(print: FundingRateData): string {
  return wireText(print, 'funding_rate');
}

function toPercent(rate: string): Decimal {
  return toDecimal(rate).times(100);
}
