import { NO_VALUE } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';

/** What a product is called; one that was only learnt of may have no more than its number. */
export function nameOf({ product, productId }: MarketRow): string {
  return product.symbol ?? String(productId);
}

/** As the venue writes it. */
export function fullNameOf({ product }: MarketRow): string {
  return product.product_name ?? NO_VALUE;
}

/** Without the type that it begins with: it stands beside it, and where there is little room it would be all there is to see. */
export function shortNameOf(row: MarketRow): string {
  const name = fullNameOf(row);
  const [first = '', ...others] = name.split(' ');
  return others.length > 0 && first.toLowerCase() === row.product.type?.toLowerCase() ? others.join(' ') : name;
}
