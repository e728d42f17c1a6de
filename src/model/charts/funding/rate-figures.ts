import type { EstimatedFundingRateData, FundingRateData } from '#contract/exchange/market-data.ts';
import { asRate, asTicks, type Quantity, toQuantity } from '../../units/quantity.ts';
import { readFundingPrice, toFundingPrice, toPremium } from '../../funding/funding-prices.ts';
import type { FundingSide, RateForm } from '../../funding/funding-rate.ts';
import { countPriceDigits } from '../../format/number.ts';
import type { Source, Sourced } from '../../response.ts';
import { bySide, inForm } from '../../tables/funding/realised.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';

/** The figures of one settled rate. */
export interface PrintFigures {
  readonly settled: Quantity;
  readonly inForm: Quantity;
  readonly mark: Quantity;
  readonly index: Quantity;
  readonly premium: Quantity;
  readonly interest: Quantity;
}

export function toPrintFigures(
  { source, conversion }: { readonly source: Source; readonly conversion: PerpetualData['conversion'] },
  row: FundingRateData,
  form: RateForm,
  side: FundingSide,
): PrintFigures {
  const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
  const rate = toQuantity(at, row, 'funding_rate', asRate);
  const [mark, index] = [
    toFundingPrice(at, row, 'mark_price', asTicks),
    toFundingPrice(at, row, 'price_index', asTicks),
  ];
  const usd = (field: 'mark_price' | 'price_index', ticks: Quantity): Quantity =>
    conversion?.withheld === null ? toFundingPrice(at, row, field, conversion) : ticks;
  return {
    settled: bySide(rate, side),
    inForm: inForm(rate, { form, side, interval: row }),
    mark: usd('mark_price', mark),
    index: usd('price_index', index),
    premium: toPremium(mark, index),
    interest: toQuantity(at, row, 'interest_rate', asRate),
  };
}

/** Fraction digits of prices in USD. */
export interface UsdDigits {
  readonly price_index: number;
  readonly mark_price: number;
}

/** Counts the digits that the most precise price needs, so that header and table agree. */
export function countUsdDigits(rows: readonly FundingRateData[], conversion: PerpetualData['conversion']): UsdDigits {
  const most = (field: keyof UsdDigits): number =>
    countPriceDigits(
      conversion === null
        ? []
        : rows.map((row) => readFundingPrice(row, field)?.times(conversion.factor).toFixed() ?? null),
    );
  return { price_index: most('price_index'), mark_price: most('mark_price') };
}

export function toEstimateFigures(
  estimate: Sourced<EstimatedFundingRateData>,
  form: RateForm,
  side: FundingSide,
): { readonly rate: Quantity; readonly inForm: Quantity } {
  const rate = toQuantity({ source: estimate, dataTime: estimate.respondedAt }, estimate.value, 'funding_rate', asRate);
  return { rate: bySide(rate, side), inForm: inForm(rate, { form, side, interval: estimate.value }) };
}
