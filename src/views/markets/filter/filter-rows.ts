import type { MarketRow } from '#domain/market-rows.ts';

export interface RowFilter {
  /** Words that all have to occur in what the row says of its product. */
  readonly text: string;
  /** `all`, or a kind of product. */
  readonly type: string;
  /** Null: marked or not. */
  readonly marked: ReadonlySet<number> | null;
}

export function filterRows(rows: readonly MarketRow[], { text, type, marked }: RowFilter): readonly MarketRow[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return rows.filter(({ productId, product }) => {
    if (type !== 'all' && product.type !== type) return false;
    if (marked !== null && !marked.has(productId)) return false;
    const said = [product.symbol, product.base_symbol, product.product_name, product.type, product.contract_size_unit, String(productId)].join(' ').toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
