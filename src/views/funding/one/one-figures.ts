import type { EstimatedFundingRateData, FundingRateData } from '#contract/funding.ts';
import { asRate, asTicks } from '#domain/conversions.ts';
import { toDecimal, type Decimal } from '#domain/decimal.ts';
import type { FundingWindow, WindowMeasures } from '#domain/funding/funding-window.ts';
import { isTurned, toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { RATE_FORM_LOOKS, toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import type { Source, Sourced } from '#domain/source.ts';
import { toPremium } from '../premium.ts';
import type { OneData } from './one-data.ts';

/** Figures of a print, each with where it comes from. */
export interface PrintFigures {
  readonly settled: Quantity;
  readonly inForm: Quantity;
  readonly mark: Quantity;
  readonly index: Quantity;
  readonly premium: Quantity;
  readonly interest: Quantity;
}

export function toPrintFigures({ source, conversion }: { readonly source: Source; readonly conversion: OneData['conversion'] }, row: FundingRateData, form: RateForm, side: FundingSide): PrintFigures {
  const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
  const rate = toQuantity(at, row, 'funding_rate', asRate);
  const [mark, index] = [toQuantity(at, row, 'mark_price', asTicks), toQuantity(at, row, 'price_index', asTicks)];
  const usd = (field: 'mark_price' | 'price_index', ticks: Quantity): Quantity => (conversion?.withheld === null ? toQuantity(at, row, field, conversion) : ticks);
  return {
    settled: bySide(rate, side),
    inForm: bySide(deriveQuantity('fraction', howForm(form), [rate], ([value]) => (value ? toRateForm(value, form, row) : null)), side),
    mark: usd('mark_price', mark),
    index: usd('price_index', index),
    premium: toPremium(mark, index),
    interest: toQuantity(at, row, 'interest_rate', asRate),
  };
}

export function toEstimateFigures(estimate: Sourced<EstimatedFundingRateData>, form: RateForm, side: FundingSide): { readonly rate: Quantity; readonly inForm: Quantity } {
  const rate = toQuantity({ source: estimate, dataTime: estimate.answeredAt }, estimate.value, 'funding_rate', asRate);
  const inForm = deriveQuantity('fraction', howForm(form), [rate], ([value]) => (value ? toRateForm(value, form, estimate.value) : null));
  return { rate: bySide(rate, side), inForm: bySide(inForm, side) };
}

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

/** The sum of a window's prints, their mean, and how they were spread. */
export function toRealised(data: OneData, window: FundingWindow, measures: WindowMeasures, form: RateForm, side: FundingSide): RealisedFigures {
  const last = data.series.prints.at(-1)?.row;
  const mean = measures.sum?.div(measures.prints) ?? null;
  const value = form === 'apr' ? measures.apr : mean && last ? toRateForm(mean, form, last) : null;
  const told = `${String(measures.prints)} of ${String(measures.intervals)} settled prints that ended after ${toIso(window.from)} and up to ${toIso(window.to)}`;
  const from = last === undefined ? [] : [toQuantity({ source: data.source, dataTime: last.interval_end, prefix: 'prints.' }, last, 'funding_rate', asRate)];
  const derive = (how: string, result: Decimal | null): Quantity => ({ value: result, unit: 'fraction', withheld: null, provenance: { kind: 'derived', how, from } });
  const sided = (result: Decimal | null): Decimal | null => result && toSide(result, side);
  const share = (what: string, count: number): Quantity =>
    derive(`${String(count)} ${what}, of ${told}`, measures.prints === 0 ? null : toDecimal(String(count)).div(measures.prints));
  return {
    sum: derive(`Sum of ${told}, exact`, sided(measures.sum)),
    mean: derive(`Mean of ${told}; ${howForm(form)}`, sided(value)),
    deviation: derive(`Standard deviation of ${told}, sample`, measures.deviation),
    positive: share('above zero', measures.positive),
    baseline: share('exactly the interest rate', measures.baseline),
    run: derive(`The most in a row with the same sign, no interval missing between, of ${told}`, null),
  };
}

function toIso(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

const HOW: Readonly<Record<RateForm, string>> = {
  interval: 'as it is',
  day: 'rate x 3',
  apr: 'rate x 3 x 365',
  apy: '(1 + rate) to the power of 1,095, minus 1',
};

function howForm(form: RateForm): string {
  return `${RATE_FORM_LOOKS[form].name}: ${HOW[form]}`;
}

function bySide(quantity: Quantity, side: FundingSide): Quantity {
  if (!isTurned(side)) return quantity;
  return deriveQuantity(quantity.unit, 'As one who is long sees it: sign turned round', [quantity], ([value]) => (value ? toSide(value, side) : null));
}
