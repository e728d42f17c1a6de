import type { EstimatedFundingRateData, FundingRateData } from '#contract/funding.ts';
import { asRate, asTicks, convert } from '#domain/conversions.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import { toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { countPriceDigits } from '#domain/price-digits.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import type { Source, Sourced } from '#domain/source.ts';
import { asWritten } from '#domain/wire-row.ts';
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

/** Digits after the point of each price of prints, as far as they can be told in USD. */
export interface UsdDigits {
  readonly price_index: number;
  readonly mark_price: number;
}

/** The same in the header as in the table: as many as the price with the most needs. */
export function countUsdDigits(rows: readonly FundingRateData[], conversion: OneData['conversion']): UsdDigits {
  const most = (field: keyof UsdDigits): number => countPriceDigits(conversion === null ? [] : rows.map((row) => convert(asWritten(row, field), conversion).toFixed()));
  return { price_index: most('price_index'), mark_price: most('mark_price') };
}

export function toEstimateFigures(estimate: Sourced<EstimatedFundingRateData>, form: RateForm, side: FundingSide): { readonly rate: Quantity; readonly inForm: Quantity } {
  const rate = toQuantity({ source: estimate, dataTime: estimate.answeredAt }, estimate.value, 'funding_rate', asRate);
  const inForm = deriveQuantity('fraction', howForm(form), [rate], ([value]) => (value ? toRateForm(value, form, estimate.value) : null));
  return { rate: bySide(rate, side), inForm: bySide(inForm, side) };
}
