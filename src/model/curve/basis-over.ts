import type { Instant } from '#contract/exchange/instant.ts';
import type { BasisLeg, BasisPrice } from '../basis/basis.ts';
import { toFundingPrice } from '../funding/funding-prices.ts';
import type { PerpetualSeries } from '../funding/funding-series.ts';
import { findAfter } from '../funding/funding-window.ts';
import type { Source } from '../response.ts';
import { toMillis } from '../time/session.ts';
import { byIncrement } from '../units/quantity.ts';
import type { CurveLeg, CurveMonth } from './curve-months.ts';
import { measureBasis, type MeasuredBasis, toBasis } from './month-basis.ts';

/** The settled rates of a perpetual, which have its index and its mark, or why they have not been read. */
export type ReadRates =
  | { readonly perpetual: PerpetualSeries; readonly source: Source }
  | { readonly missingBecause: string };

/** Index or mark of the perpetual at the funding time nearest to a settlement, instead of the perpetual's settlement. */
export interface FundingPrices {
  readonly over: Exclude<BasisPrice, 'settlement'>;
  /** In minutes: how far from the settlement the funding time may be. */
  readonly mostApart: number;
  readonly rates: ReadRates;
}

/** What the basis of the months is measured over; null: the perpetual's settlement of the same minute. */
export type BasisOver = FundingPrices | null;

/** Computes a month's basis over the perpetual's settlement, or over its index or mark. */
export function toBasisOver(month: CurveMonth, perpetual: CurveLeg | null, over: BasisOver): MeasuredBasis {
  if (over === null) return toBasis(month, perpetual);
  return measureBasis(month, perpetual && toFundingLeg(month.settledAt, perpetual, over), over.mostApart);
}

const FIELDS = { index: 'price_index', mark: 'mark_price' } as const;

/** Finds the index or mark of the funding time that is nearest to a settlement, among those that are known. */
export function toFundingLeg(
  settledAt: Instant | null,
  { product, symbol, settlement }: CurveLeg,
  { over, rates }: FundingPrices,
): BasisLeg {
  const base = { kind: over, symbol } as const;
  const without = (missingBecause: string): BasisLeg => ({ ...base, price: null, at: null, missingBecause });
  if ('missingBecause' in rates) return without(rates.missingBecause);
  if (settledAt === null) return without(`The nearest funding time of ${symbol} is unknown without a settlement.`);
  const { perpetual, source } = rates;
  const row = findNearest(perpetual, toMillis(settledAt))?.row;
  if (row === undefined) return without(`No settled rate of ${symbol} is known, so there is no ${over}.`);
  // A wrong tick size withholds the settlement, and makes the other prices as wrong.
  const conversion = byIncrement(product, settlement?.withheld ?? null);
  if (conversion === null) return without(`The exchange publishes no tick size of ${symbol}.`);
  const at = row.interval_end;
  const price = toFundingPrice({ source, dataTime: at, prefix: 'prints.' }, row, FIELDS[over], conversion);
  return { ...base, price, at, missingBecause: null };
}

/** Of two that are as near, the earlier one. */
function findNearest({ series }: PerpetualSeries, time: number) {
  const after = findAfter(series, time);
  const [before, next] = [series.prints[after - 1], series.prints[after]];
  if (before === undefined || next === undefined) return before ?? next;
  return next.end - time < time - before.end ? next : before;
}
