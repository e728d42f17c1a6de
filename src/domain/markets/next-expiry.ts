import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { compareInstants } from '#contract/instant.ts';
import { toExpiry, type Expiry } from '../specification/expiry.ts';
import { isActive } from './is-active.ts';

/** The active product that expires first, today included; null where none does. `today` is the exchange's; null: unknown. */
export function findNextExpiry(products: readonly DeskProduct[], today: Day | null): DeskProduct | null {
  const dated = products.filter(isActive).flatMap((product): (readonly [DeskProduct, Expiry])[] => {
    const expiry = toExpiry(product, today);
    return expiry === null || (expiry.daysLeft ?? 0) < 0 ? [] : [[product, expiry]];
  });
  const [first] = dated.sort(([, a], [, b]) => compareInstants(a.at, b.at));
  return first?.[0] ?? null;
}
