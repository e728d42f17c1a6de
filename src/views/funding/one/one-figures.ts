import type { EstimatedFundingRateData, FundingRateData } from '#contract/funding.ts';
import { asRate, asTicks } from '#domain/conversions.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import { toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import type { Source, Sourced } from '#domain/source.ts';
import { toPremium } from '../premium.ts';
import { bySide, howForm } from '../realised.ts';
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
