import type { Change, RowText } from '../../../src/server/journal/segment/change.ts';
import { createRandom, type Random } from '../lib/random.ts';
import { createWireOrders, type WireOrder } from '../lib/wire-orders.ts';

/** What the journal receives from one reading of the working set to the next. It is the same for the same seed. */
export interface Traffic {
  /** The newest reading. */
  readonly reading: () => number;
  readonly book: () => { readonly id: string; readonly row: RowText }[];
  readonly next: () => readonly Change[];
}

const READING_MS = 4_000;
const START_MS = Date.UTC(2026, 7, 18);
/** The changes of a reading: changed prices, fills, orders that are gone and as many new ones. */
const MIX = { priced: 420, filled: 80, gone: 50 };
const JITTER_MS = 200;

const FEW = 7;
const FIRST_PRODUCT = 7_000;

interface Working {
  order: WireOrder;
  row: string;
}

/**
 * Creates traffic. `products` is how many products the orders are spread over; fewer than seven are those of the wire
 * orders themselves.
 */
export function createTraffic(orders: number, products: number, seed: number): Traffic {
  const random = createRandom(seed);
  const book = createWireOrders(orders).map((order) =>
    toWorking(products < FEW ? order : ofOneOf(products, order, random)),
  );
  let newest = BigInt(book[0]?.order.id ?? '1');
  let from = START_MS;

  const workingAt = (place: number): Working => book[place] ?? throwNoOrder();
  const change = (place: number, kind: Change['kind'], to: number, act: (order: WireOrder) => WireOrder): Change => {
    const working = toWorking(act(workingAt(place).order));
    book[place] = working;
    return { kind, id: working.order.id, from, to, row: working.row };
  };
  const replace = (place: number, to: number): readonly Change[] => {
    const { order, row } = workingAt(place);
    newest += BigInt(1 + Math.floor(random() * 4_000_000));
    const seen = change(place, 'seen', to, (old) => createOrder(old, newest, toInstant(from, to, random), random));
    return [{ kind: 'gone', id: order.id, from, to, row }, seen];
  };

  return {
    reading: () => from,
    book: () => book.map(({ order: { id }, row }) => ({ id, row })),
    next: () => {
      const to = from + READING_MS + Math.floor(random() * JITTER_MS);
      const places = pickPlaces(book.length, MIX.priced + MIX.filled + MIX.gone, random);
      const changes = places.flatMap((place, index) => {
        if (index < MIX.gone) return replace(place, to);
        const act = index < MIX.gone + MIX.filled ? fill : reprice;
        return [
          change(place, 'changed', to, (order) => ({
            ...act(order, random),
            last_modified: toInstant(from, to, random),
          })),
        ];
      });
      from = to;
      return changes;
    },
  };
}

function ofOneOf(products: number, order: WireOrder, random: Random): WireOrder {
  const product = FIRST_PRODUCT + Math.floor(random() * products);
  return { ...order, product_id: product, product_type: 'Future', symbol: `P${String(product)}Z26` };
}

function throwNoOrder(): never {
  throw new RangeError('no order at this place');
}

function toWorking(order: WireOrder): Working {
  return { order, row: JSON.stringify(order) };
}

function pickPlaces(count: number, wanted: number, random: Random): number[] {
  const places = new Set<number>();
  while (places.size < Math.min(wanted, count)) places.add(Math.floor(random() * count));
  return [...places];
}

function reprice(order: WireOrder, random: Random): WireOrder {
  return { ...order, price: order.price + (1 + Math.floor(random() * 5)) * (random() < 0.5 ? -1 : 1) };
}

function fill(order: WireOrder, random: Random): WireOrder {
  const left = order.quantity_requested - order.quantity_filled;
  if (left < 2) return reprice(order, random);
  const quantity = 1 + Math.floor(random() * (left - 1));
  const filled = order.quantity_filled + quantity;
  const value = (order.avg_price ?? 0) * order.quantity_filled + order.price * quantity;
  return { ...order, quantity_filled: filled, avg_price: value / filled };
}

function createOrder(like: WireOrder, id: bigint, time: string, random: Random): WireOrder {
  const requested = 1 + Math.floor(random() * 250);
  const fresh = { id: String(id), open_ack_id: String(id + 3n), time, last_modified: time };
  return { ...like, ...fresh, avg_price: null, quantity_requested: requested, quantity_filled: 0 };
}

/** Returns a time between two readings, to the nanosecond. */
function toInstant(from: number, to: number, random: Random): string {
  const rest = Math.floor(random() * 1e6)
    .toString()
    .padStart(6, '0');
  return new Date(from + Math.floor(random() * (to - from))).toISOString().replace('Z', `${rest}Z`);
}
