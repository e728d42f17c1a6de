import type { FundingRateData, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { compareInstants, type Day, type Instant } from '#contract/exchange/instant.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { isActive } from '../products/is-active.ts';
import type { NamedProduct } from '../products/product-directory.ts';

/** The latest settled rate, and the rate that the history has for the same interval. */
export interface LatestRateCheck {
  readonly settledAt: Instant;
  readonly latest: Decimal;
  readonly ofHistory: Decimal;
}

/** Returns the two rates if they differ; null if they agree, or if the history does not include the interval. */
export function findOtherLatestRate(
  latest: FundingRateData | undefined,
  history: readonly FundingRateData[],
): LatestRateCheck | null {
  const same = latest && history.find(({ interval_end: end }) => compareInstants(end, latest.interval_end) === 0);
  if (latest === undefined || same === undefined) return null;
  const [a, b] = [toDecimal(wireText(latest, 'funding_rate')), toDecimal(wireText(same, 'funding_rate'))];
  return a.equals(b) ? null : { settledAt: same.interval_end, latest: a, ofHistory: b };
}

/** The volume of a total and the sum of its products, for the newest session that both cover. */
export interface TotalCheck {
  readonly session: Day;
  readonly total: number;
  readonly sum: number;
}

/** Returns null unless the volume of every active product is known. Inactive products need none. */
export function checkTotal(
  total: readonly VOIDataPoint[],
  ofProducts: readonly VOIDataPoint[],
  products: readonly Pick<NamedProduct, 'id' | 'product'>[],
): TotalCheck | null {
  const wanted = new Set(products.map(({ id }) => toNumber(id)));
  const parts = ofProducts.filter(({ productId }) => wanted.has(toNumber(productId)));
  const known = new Set(parts.map(({ productId }) => toNumber(productId)));
  if (products.some(({ id, product }) => (product === null || isActive(product)) && !known.has(toNumber(id))))
    return null;
  const byDay = Map.groupBy(parts, ({ date }) => date);
  const row = total.findLast(({ date, volume }) => volume !== null && byDay.has(date));
  if (row === undefined || row.volume === null) return null;
  const sum = (byDay.get(row.date) ?? []).reduce(
    (all, { volume }) => all + (volume === null ? 0 : toNumber(volume)),
    0,
  );
  return { session: row.date, total: toNumber(row.volume), sum };
}
