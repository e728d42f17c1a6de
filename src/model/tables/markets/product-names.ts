import { NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';

/** A product that the directory does not describe has no more than its id. */
export function nameOf({ product, productId }: MarketRow): string {
  return product.symbol ?? String(productId);
}

export function fullNameOf({ product }: MarketRow): string {
  return product.product_name ?? NO_VALUE;
}
