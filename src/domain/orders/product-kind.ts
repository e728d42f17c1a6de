import type { OrderRow } from './order-row.ts';

/** What an order is of, by the name that other screens have for it: a perpetual’s order says Future, and the directory knows better. */
export function toProductKind({ order: { product_type: told }, terms: { product } }: Pick<OrderRow, 'order' | 'terms'>): string {
  return told === 'Future' && product?.type === 'perpetual' ? 'Perpetual' : told;
}
