import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { MarketRow } from '../../markets/market-rows.ts';

export interface RowFilter {
  /** Ids of the products that the text finds. Null: there is no text. */
  readonly found: ReadonlySet<number> | null;
  /** `all`, or a type of product. */
  readonly type: string;
  /** What the filters of terms let through; null: everything. */
  readonly terms: ((row: MarketRow) => boolean) | null;
  /** Ids of the products on the watchlist shown. Null: all products are shown. */
  readonly listed: ReadonlySet<number> | null;
}

export function filterRows(
  rows: readonly MarketRow[],
  { found, type, terms, listed }: RowFilter,
): readonly MarketRow[] {
  return rows.filter((row) => {
    const { productId, product } = row;
    return (
      (type === 'all' || product.type === type) &&
      listed?.has(productId) !== false &&
      found?.has(productId) !== false &&
      terms?.(row) !== false
    );
  });
}

export function toIds(products: readonly DeskProduct[]): ReadonlySet<number> {
  return new Set(products.map(({ product_id: id }) => toNumber(id)));
}
