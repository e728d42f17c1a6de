import { toNumber } from '#contract/brand.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { MarketRow } from '#domain/markets/market-rows.ts';

export interface RowFilter {
  /** Ids of the products that the text finds. Null: there is no text. */
  readonly found: ReadonlySet<number> | null;
  /** `all`, or a type of product. */
  readonly type: string;
  /** Null: all products. */
  readonly favourites: ReadonlySet<number> | null;
}

export function filterRows(rows: readonly MarketRow[], { found, type, favourites }: RowFilter): readonly MarketRow[] {
  return rows.filter(({ productId, product }) => (type === 'all' || product.type === type) && favourites?.has(productId) !== false && found?.has(productId) !== false);
}

export function toIds(products: readonly DeskProduct[]): ReadonlySet<number> {
  return new Set(products.map(({ product_id: id }) => toNumber(id)));
}
