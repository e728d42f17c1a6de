import { isPriced, isSettled, type Bar, type PricedBar, type SettledBar } from './bars.ts';
import { compareDecimalTexts, sumOf, toDecimal, type Decimal } from '../units/decimal.ts';

export interface Change {
  readonly absolute: Decimal;
  /** Relative to the earlier price; null if that is zero or negative, because the ratio would mean nothing. */
  readonly fraction: Decimal | null;
}

/** Computes the change from one price to another. */
export function toChange(from: Decimal, to: Decimal): Change {
  const absolute = to.minus(from);
  return { absolute, fraction: from.gt(0) ? absolute.div(from) : null };
}

export interface RangeStatistics {
  readonly first: SettledBar;
  readonly last: SettledBar;
  /** The bars with the highest and the lowest price; null if every bar has a withheld price. */
  readonly extremes: { readonly high: PricedBar; readonly low: PricedBar } | null;
  /** Change from the first settlement to the last. */
  readonly change: Change;
}

/** Computes statistics of a range of bars; null without a settlement. Bars with withheld prices are skipped. */
export function toRangeStatistics(bars: readonly Bar[]): RangeStatistics | null {
  const settled = bars.filter(isSettled);
  const [first] = settled;
  const last = settled.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    first,
    last,
    extremes: findExtremes(bars.filter(isPriced)),
    change: toChange(toDecimal(first.settlement), toDecimal(last.settlement)),
  };
}

function findExtremes(bars: readonly PricedBar[]): RangeStatistics['extremes'] {
  if (bars.length === 0) return null;
  const high = bars.reduce((best, bar) => (compareDecimalTexts(bar.high, best.high) > 0 ? bar : best));
  const low = bars.reduce((best, bar) => (compareDecimalTexts(bar.low, best.low) < 0 ? bar : best));
  return { high, low };
}

/** Computes simple returns between consecutive settlements. Null after a price that is not above zero. */
export function toReturns(bars: readonly SettledBar[]): readonly (Decimal | null)[] {
  const prices = bars.map(({ settlement }) => toDecimal(settlement));
  return prices.slice(1).map((price, index) => toChange(prices[index] ?? price, price).fraction);
}

/** Computes the standard deviation of a sample (n − 1); null for fewer than two values. */
export function toStandardDeviation(values: readonly Decimal[]): Decimal | null {
  const mean = sumOf(values)?.div(values.length);
  if (mean === undefined || values.length < 2) return null;
  const distances = values.map((value) => value.minus(mean));
  const squares = sumOf(distances.map((distance) => distance.times(distance)));
  return squares?.div(values.length - 1).sqrt() ?? null;
}
