import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { type Conversion, deriveQuantity, type Quantity, type RowSource, toQuantity } from '../units/quantity.ts';
import type { FractionalTicks } from '#contract/exchange/amounts.ts';
import { wireText } from '#contract/exchange/row-notes.ts';

/** Returns null if index or mark is withheld. */
export function premiumOf(row: FundingRateData): Decimal | null {
  const [mark, index] = [readFundingPrice(row, 'mark_price'), readFundingPrice(row, 'price_index')];
  return mark && index && over(mark, index);
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

/**
 * Reads the index or mark of a settled rate in ticks; null unless it is above zero, as the price of a perpetual must
 * be.
 */
export function readFundingPrice(row: FundingRateData, field: PriceField): Decimal | null {
  const ticks = toDecimal(wireText(row, field));
  return ticks.gt(0) ? ticks : null;
}

/** Reads the index or mark of a settled rate; withheld unless it is above zero. */
export function toFundingPrice(
  at: RowSource,
  row: FundingRateData,
  field: PriceField,
  conversion: Conversion<FractionalTicks>,
): Quantity {
  const price = toQuantity(at, row, field, conversion);
  return readFundingPrice(row, field) === null
    ? { ...price, value: null, withheld: `Impossible value: expected more than 0, found ${wireText(row, field)}.` }
    : price;
}
