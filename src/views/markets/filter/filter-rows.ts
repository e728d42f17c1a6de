import type { MarketRow } from '#domain/markets/market-rows.ts';

export interface RowFilter {
  /** Words that must all occur among the product's names. */
  readonly text: string;
  /** `all`, or a type of product. */
  readonly type: string;
  /** Null: all products. */
  readonly favourites: ReadonlySet<number> | null;
}

export function filterRows(rows: readonly MarketRow[], { text, type, favourites }: RowFilter): readonly MarketRow[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return rows.filter(({ productId, product }) => {
    if (type !== 'all' && product.type !== type) return false;
    if (favourites !== null && !favourites.has(productId)) return false;
    const names = [product.symbol, product.base_symbol, product.product_name, product.type, product.contract_size_unit, String(productId)].join(' ').toLowerCase();
    return words.every((word) => names.includes(word));
  });
}
