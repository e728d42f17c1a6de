import type { Bar } from './bars.ts';
import { toChange } from './change.ts';
import { sumOf, toDecimal, type Decimal } from './decimal.ts';

/** Simple returns from settlement to settlement: one fewer than there are bars. Null from a price not above zero. */
export function toReturns(bars: readonly Bar[]): readonly (Decimal | null)[] {
  const prices = bars.map(({ settlement }) => toDecimal(settlement));
  return prices.slice(1).map((price, index) => toChange(prices[index] ?? price, price).fraction);
}

/** How far values lie from their mean, as of a sample (n - 1); null of fewer than two. */
export function toStandardDeviation(values: readonly Decimal[]): Decimal | null {
  const mean = sumOf(values)?.div(values.length);
  if (mean === undefined || values.length < 2) return null;
  const squares = sumOf(values.map((value) => square(value.minus(mean))));
  return squares?.div(values.length - 1).sqrt() ?? null;
}

/** The same as its second power, for a third of the work. */
function square(value: Decimal): Decimal {
  return value.times(value);
}
