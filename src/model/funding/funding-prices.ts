import type { FractionalTicks } from '#contract/exchange/amounts.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { Conversion } from '../units/conversions.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import { toQuantity, type Quantity, type RowSource } from '../units/quantity.ts';

type PriceField = 'price_index' | 'mark_price';

/** Index or mark of a settled rate in ticks; null where it is not above zero, as the price of a perpetual must be. */
export function readFundingPrice(row: FundingRateData, field: PriceField): Decimal | null {
  const ticks = toDecimal(wireText(row, field));
  return ticks.gt(0) ? ticks : null;
}

/** Index or mark of a settled rate, withheld where it is not above zero. */
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
