import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { type Conversion, deriveQuantity, type Quantity, type RowSource, toQuantity } from '../units/quantity.ts';
import type { FractionalTicks } from '#contract/exchange/amounts.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatPercent } from '../format/number.ts';
import { isPlausibleRate, PLAUSIBLE_RATE } from './funding-rate.ts';

/** Returns null if index or mark is withheld. */
export function premiumOf(row: FundingRateData): Decimal | null {
  const [mark, index] = [readFundingPrice(row, 'mark_price'), readFundingPrice(row, 'price_index')];
  return mark && index && over(mark, index);
}

/** Returns why a settled rate has no premium; null if it has one. */
export function whyNoPremium(row: FundingRateData): string | null {
  return whyPriceWithheld(row, 'mark_price') ?? whyPriceWithheld(row, 'price_index');
}

export function toPremium(mark: Quantity, index: Quantity): Quantity {
  return deriveQuantity('fraction', 'mark_price / price_index − 1, both in ticks', [mark, index], ([a, b]) =>
    a && b ? over(a, b) : null,
  );
}

function over(mark: Decimal, index: Decimal): Decimal {
  return mark.div(index).minus(1);
}

type PriceField = 'price_index' | 'mark_price';

/** Reads the index or mark of a settled rate in ticks; null if it is withheld. */
export function readFundingPrice(row: FundingRateData, field: PriceField): Decimal | null {
  return whyPriceWithheld(row, field) === null ? toDecimal(wireText(row, field)) : null;
}

/**
 * A settled rate is within 0.05 % of the mean premium of mark over index in its interval. A premium at its end that is
 * this far from the rate is no premium: mark or index is wrong, unless the rate is. Sound ones stay within a third.
 */
const MOST_APART = PLAUSIBLE_RATE;

/** The price of a perpetual must be above zero, and mark and index must be as near to each other as the rate says. */
function whyPriceWithheld(row: FundingRateData, field: PriceField): string | null {
  if (!(toNumber(row[field]) > 0)) return `Impossible value: expected more than 0, found ${wireText(row, field)}.`;
  const [mark, index] = [toNumber(row.mark_price), toNumber(row.price_index)];
  const premium = mark / index - 1;
  const rate = toNumber(row.funding_rate);
  return mark > 0 && index > 0 && isPlausibleRate(rate) && Math.abs(premium - rate) > MOST_APART
    ? `Mark or index is wrong: the premium is ${formatPercent(toDecimal(premium.toFixed(4)), { digits: 2, signed: true })} %, ` +
        'far from the rate, which is near its mean over the interval.'
    : null;
}

/** Reads the index or mark of a settled rate, or why it is withheld. */
export function toFundingPrice(
  at: RowSource,
  row: FundingRateData,
  field: PriceField,
  conversion: Conversion<FractionalTicks>,
): Quantity {
  const price = toQuantity(at, row, field, conversion);
  const withheld = whyPriceWithheld(row, field);
  return withheld === null ? price : { ...price, value: null, withheld };
}
