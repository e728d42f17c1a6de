import { toNumber } from '#contract/exchange/brand.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import { compareOrderIds } from '#contract/exchange/ids.ts';
import { isPresent, type OrderRow } from './order-row.ts';

/** The orders next to an order: by price within its product, and by time of acceptance among all orders. */
export interface OrderNeighbours {
  readonly above: readonly OrderRow[];
  readonly below: readonly OrderRow[];
  readonly before: readonly OrderRow[];
  readonly after: readonly OrderRow[];
}

type Compare = (a: OrderRow, b: OrderRow) => number;

/** Finds the nearest orders in each direction, nearest first. */
export function findNeighbours(row: OrderRow, rows: readonly OrderRow[], most: number): OrderNeighbours {
  const others = rows.filter((other) => isPresent(other) && other.order.id !== row.order.id);
  const ofProduct = others.filter(({ terms }) => terms.productId === row.terms.productId);
  const byPrice: Compare = (a, b) => toNumber(a.order.price) - toNumber(b.order.price) || byTime(a, b);
  return {
    above: nearest(
      ofProduct.filter((other) => byPrice(other, row) > 0),
      byPrice,
      most,
    ),
    below: nearest(
      ofProduct.filter((other) => byPrice(other, row) < 0),
      (a, b) => byPrice(b, a),
      most,
    ),
    before: nearest(
      others.filter((other) => byTime(other, row) < 0),
      (a, b) => byTime(b, a),
      most,
    ),
    after: nearest(
      others.filter((other) => byTime(other, row) > 0),
      byTime,
      most,
    ),
  };
}

function byTime(a: OrderRow, b: OrderRow): number {
  return compareInstants(a.order.time, b.order.time) || compareOrderIds(a.order.id, b.order.id);
}

function nearest(rows: readonly OrderRow[], compare: Compare, most: number): readonly OrderRow[] {
  return rows.toSorted(compare).slice(0, most);
}
