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
