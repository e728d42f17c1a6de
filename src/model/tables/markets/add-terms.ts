import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProducts } from '#contract/desk/desk.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Sourced } from '../../source.ts';
import { isSoon, toExpiry } from '../../products/expiry.ts';
import type { TermContext } from '../../specification/term.ts';

/** Adds what the terms of the contracts are read with. The tick size of each product is checked once, with its prices. */
export function addTerms(
  rows: readonly MarketRow[],
  products: Sourced<DeskProducts>,
  now: number | null,
): readonly MarketRow[] {
  const byId = new Map(products.value.products.map((product) => [toNumber(product.product_id), product]));
  const checks = new Map(rows.map(({ productId, check }) => [productId, check]));
  const terms: TermContext = {
    products,
    now,
    find: (id) => byId.get(id),
    checkOf: ({ product_id: id }) => checks.get(toNumber(id)) ?? null,
  };
  return rows.map((row) => ({ ...row, terms, expiresSoon: isSoon(toExpiry(row.product, now)) }));
}
