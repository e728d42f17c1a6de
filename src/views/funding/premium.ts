import type { FundingRateData } from '#contract/funding.ts';
import { toDecimal, type Decimal } from '#domain/units/decimal.ts';
import { deriveQuantity, type Quantity } from '#domain/units/quantity.ts';
import { wireText } from '#contract/wire-text.ts';

/** Null where the index is zero. */
export function premiumOf(row: FundingRateData): Decimal | null {
  return over(toDecimal(wireText(row, 'mark_price')), toDecimal(wireText(row, 'price_index')));
}

export function toPremium(mark: Quantity, index: Quantity): Quantity {
  return deriveQuantity('fraction', 'mark_price / price_index − 1, both in ticks', [mark, index], ([a, b]) => (a && b ? over(a, b) : null));
}

function over(mark: Decimal, index: Decimal): Decimal | null {
  return index.isZero() ? null : mark.div(index).minus(1);
}
