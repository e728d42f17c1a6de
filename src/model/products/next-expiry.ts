import type { DeskProduct } from '#contract/desk/desk.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import { toExpiry, type Expiry } from './expiry.ts';
import { isActive } from './is-active.ts';

/** The active product that expires first; null where none does. `now` is the exchange's; null: unknown. */
export function findNextExpiry(products: readonly DeskProduct[], now: number | null): DeskProduct | null {
  const dated = products.filter(isActive).flatMap((product): (readonly [DeskProduct, Expiry])[] => {
    const expiry = toExpiry(product, now);
    return expiry === null || (expiry.msLeft ?? 0) < 0 ? [] : [[product, expiry]];
  });
  const [first] = dated.sort(([, a], [, b]) => compareInstants(a.at, b.at));
  return first?.[0] ?? null;
}
