import { createRandom, type Random } from '../lib/random.ts';
import type { WireOrder } from '../lib/wire-orders.ts';

const CHANGED = 500;
const COME_AND_GONE = 50;

/**
 * Generates the next full response: 500 orders changed, 50 gone, and 50 new ones in front. Each order is a new object,
 * as from the wire.
 */
export function nextSnapshot(orders: readonly WireOrder[], seed: number): WireOrder[] {
  const random = createRandom(seed);
  const gone = pickPlaces(orders.length, COME_AND_GONE, random, new Set());
  const changed = pickPlaces(orders.length, CHANGED, random, gone);
  const kept = orders.flatMap((order, place) =>
    gone.has(place) ? [] : [changed.has(place) ? changeOrder(order, random) : { ...order }],
  );
  return [...createNewest(orders, random), ...kept];
}

function pickPlaces(count: number, wanted: number, random: Random, not: ReadonlySet<number>): ReadonlySet<number> {
  const places = new Set<number>();
  while (places.size < wanted) {
    const place = Math.floor(random() * count);
    if (!not.has(place)) places.add(place);
  }
  return places;
}

function changeOrder(order: WireOrder, random: Random): WireOrder {
  const price = order.price + Math.floor(random() * 5) - 2;
  const modified = new Date(Date.parse(order.last_modified) + 1_000).toISOString();
  const filled = Math.floor(random() * order.quantity_requested);
  // Without fills there is no average price: an order that says otherwise contradicts itself and would be withheld.
  return { ...order, price, avg_price: filled === 0 ? null : price, last_modified: modified, quantity_filled: filled };
}

function createNewest(orders: readonly WireOrder[], random: Random): WireOrder[] {
  const newest = orders[0];
  if (newest === undefined) throw new RangeError('no orders to add to');
  return Array.from({ length: COME_AND_GONE }, (_, index) => ({
    ...(orders[Math.floor(random() * orders.length)] ?? newest),
    id: String(BigInt(newest.id) + BigInt((COME_AND_GONE - index) * 1_000)),
    time: newest.time,
    last_modified: newest.time,
  }));
}
