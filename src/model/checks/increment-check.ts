import type { DeskProduct } from '#contract/desk/desk.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { Comparison, CrossCheckName } from './cross-checks.ts';
import { whyWithheld, type PriceChecks } from './judge-prices.ts';

/** Whether a product's published tick size turns ticks into the USD that the exchange itself publishes elsewhere. */
export interface IncrementCheck {
  /** `unchecked`: there is no price to compare with. `pending`: it has not been read yet. */
  readonly verdict: 'agrees' | 'off' | 'unchecked' | 'pending';
  /** What decided. */
  readonly comparison: Comparison | null;
  /** Why prices are not converted, if the check failed or is pending. */
  readonly reason: string | null;
}

const PENDING =
  'Prices in ticks are not converted yet: the tick size is unchecked until the exchange’s own USD price has been read.';

/** From the most exact to the least. */
const DECISIVE: readonly CrossCheckName[] = [
  'chartSettlement',
  'openInterestValue',
  'sessionPrice',
  'trailingPrice',
  'mark',
];

/** What the cross-checks say about the tick size. `isReading`: a response that could decide has not been read yet. */
export function toIncrementCheck(
  product: DeskProduct,
  { comparisons, reasons }: PriceChecks,
  isReading: boolean,
): IncrementCheck {
  if (wireText(product, 'price_increment') === undefined)
    return { verdict: 'unchecked', comparison: null, reason: null };
  const done = DECISIVE.flatMap((name) => comparisons.find(({ check }) => check === name) ?? []);
  const reason = whyWithheld(reasons, 'price in ticks');
  if (reason !== null) return { verdict: 'off', comparison: done.find(({ passed }) => !passed) ?? null, reason };
  const comparison = done.find(({ passed }) => passed) ?? null;
  if (comparison !== null) return { verdict: 'agrees', comparison, reason: null };
  return isReading
    ? { verdict: 'pending', comparison, reason: PENDING }
    : { verdict: 'unchecked', comparison, reason: null };
}
