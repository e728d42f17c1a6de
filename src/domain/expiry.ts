import type { Day } from '#contract/day.ts';
import type { DeskProduct } from '#contract/desk.ts';

/** The last session of a product that has expired; null of one that trades, and where the venue does not say. It settles in an afternoon in Chicago, which has the same date in UTC. */
export function expiredOn(product: Pick<DeskProduct, 'product_status' | 'final_settle_time'> | null): Day | null {
  if (product?.product_status !== 'expired') return null;
  return (product.final_settle_time?.slice(0, 'YYYY-MM-DD'.length) ?? null) as Day | null;
}
