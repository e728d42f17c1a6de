import { asRate } from '#domain/units/conversions.ts';
import { toDecimal, type Decimal } from '#domain/units/decimal.ts';
import type { FundingSeries } from '#domain/funding/funding-series.ts';
import type { FundingWindow, WindowMeasures } from '#domain/funding/funding-window.ts';
import { isInverted, toSide, type FundingSide } from '#domain/funding/funding-side.ts';
import { RATE_FORM_LABELS, toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/units/quantity.ts';
import type { Source } from '#domain/source.ts';

/** What was realised over a window, each figure with where it comes from. */
export interface RealisedFigures {
  readonly sum: Quantity;
  /** In the form chosen. */
  readonly mean: Quantity;
  readonly deviation: Quantity;
  readonly positive: Quantity;
  readonly baseline: Quantity;
  /** Has no value of its own: how many stand in a row is a count. */
  readonly run: Quantity;
}

interface Settled {
  readonly series: FundingSeries;
  readonly source: Source;
}

/** The sum of a window's prints, their mean, and how they were spread. The newest print stands for all that a figure rests on. */
export function toRealised({ series, source }: Settled, window: FundingWindow, measures: WindowMeasures, form: RateForm, side: FundingSide): RealisedFigures {
  const last = series.prints.at(-1)?.row;
  const mean = measures.sum?.div(measures.prints) ?? null;
  const value = form === 'apr' ? measures.apr : mean && last ? toRateForm(mean, form, last) : null;
  const told = `${String(measures.prints)} of ${String(measures.intervals)} settled prints that ended after ${toMinute(window.from)} and up to ${toMinute(window.to)} UTC`;
  const from = last === undefined ? [] : [toQuantity({ source, dataTime: last.interval_end, prefix: 'prints.' }, last, 'funding_rate', asRate)];
  const derive = (how: string, result: Decimal | null): Quantity => ({ value: result, unit: 'fraction', withheld: null, provenance: { kind: 'derived', how, from } });
  const share = (what: string, count: number): Quantity =>
    derive(`${String(count)} ${what}, of ${told}`, measures.prints === 0 ? null : toDecimal(String(count)).div(measures.prints));
  return {
    sum: bySide(derive(`Sum of ${told}, exact`, measures.sum), side),
    mean: bySide(derive(`Mean of ${told}; ${howForm(form)}`, value), side),
    deviation: derive(`Standard deviation of ${told}, sample`, measures.standardDeviation),
    positive: share('above zero', measures.positive),
    baseline: share('exactly the interest rate', measures.baseline),
    run: derive(`The most in a row with the same sign, no interval missing between, of ${told}`, null),
  };
}

export function toMinute(moment: number): string {
  return new Date(moment).toISOString().slice(0, 16).replace('T', ' ');
}

const HOW: Readonly<Record<RateForm, string>> = {
  interval: 'as it is',
  day: 'rate × 3',
  apr: 'rate × 3 × 365',
  apy: '(1 + rate) to the power of 1,095, minus 1',
};

export function howForm(form: RateForm): string {
  return `${RATE_FORM_LABELS[form].name}: ${HOW[form]}`;
}

/** The same as a side sees it. */
export function bySide(quantity: Quantity, side: FundingSide): Quantity {
  if (!isInverted(side)) return quantity;
  return deriveQuantity(quantity.unit, 'As one who is long sees it: sign turned round', [quantity], ([value]) => (value ? toSide(value, side) : null));
}
