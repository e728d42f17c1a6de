import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/day.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { isActive } from '../products/is-active.ts';
import type { NamedProduct } from '../products/product-directory.ts';

/** The volume of a total beside that of its products, of the newest session that both have. */
export interface TotalCheck {
  readonly session: Day;
  readonly total: number;
  readonly sum: number;
}

/** Null where the products' own volumes are not all known. A product that does not trade need not have any. */
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
