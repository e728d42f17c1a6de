import type { FundingRateData } from '#contract/exchange/funding.ts';
import { readFundingPrice } from './funding-prices.ts';
import type { Decimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';

/** Null where index or mark is withheld. */
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
