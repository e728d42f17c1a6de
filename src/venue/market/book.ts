import type { Side, TimeInForce } from '../core/model.ts';
import { createBookSide, type BookSide, type Entry, type Level, type Resting } from './book-side.ts';

export type { Entry };

/** A trade of the incoming entry with a resting one. */
export interface Fill {
  readonly restingId: bigint;
  /** The resting entry's price, in ticks. */
  readonly price: number;
  readonly quantity: number;
}

interface Placement {
  /** In the order in which they happened. */
  readonly fills: readonly Fill[];
  /** Contracts that came to rest. */
  readonly rested: number;
  /** Contracts that were cancelled: the remainder of an IOC, or of an entry that met one of its own owner. */
  readonly cancelled: number;
}

/** The book of one product: limit orders by price, then by time. */
export interface Book {
  /** Trades what can be traded; the remainder rests, unless it is cancelled. */
  readonly place: (incoming: Entry) => Placement;
  /** Adds an entry last in its price without trading. A saved book is restored like this, oldest entry first. */
  readonly restore: (entry: Entry) => void;
  /** Returns the entry as it was; null where it does not rest. */
  readonly cancel: (id: bigint) => Entry | null;
  /** Reduces the entry to at most this quantity, at the same place in the queue. Null where the entry does not rest. */
  readonly reduce: (id: bigint, quantity: number) => Entry | null;
  /** Removes all entries (of a time in force) and returns them: bids, then asks, each side by priority. */
  readonly expire: (timeInForce?: TimeInForce) => readonly Entry[];
  readonly get: (id: bigint) => Entry | null;
  readonly best: (side: Side) => Level | null;
  /** Best first; all levels without a limit. */
  readonly levels: (side: Side, limit?: number) => readonly Level[];
  /** By priority. */
  readonly entries: (side: Side) => readonly Entry[];
  /** Quantity-weighted mean price of the best levels (default: all), in ticks; null where the side is empty. */
  readonly meanPrice: (side: Side, levels?: number) => number | null;
  readonly size: () => number;
}

/**
 * An empty book with self-trade prevention: an incoming entry that meets one of its own owner stops there and its
 * remainder is cancelled. The resting entry stays, so nobody can pull an order by trading against it.
 */
export function createBook(): Book {
  const sides: Readonly<Record<Side, BookSide>> = { Bid: createBookSide('Bid'), Ask: createBookSide('Ask') };
  const resting = new Map<bigint, Resting>();

  const rest = (entry: Entry): void => {
    resting.set(entry.id, sides[entry.side].add(entry));
  };

  const take = (entry: Resting, quantity: number): void => {
    sides[entry.side].take(entry, quantity);
    if (entry.quantity === 0) resting.delete(entry.id);
  };

  const cancel = (id: bigint): Entry | null => {
    const entry = resting.get(id);
    if (!entry) return null;
    const cancelled = toEntry(entry);
    take(entry, entry.quantity);
    return cancelled;
  };

  return {
    place: (incoming) => {
      requireNew(incoming, resting);
      const opposite = sides[oppositeOf(incoming.side)];
      const { fills, left, selfTrade } = match(incoming, opposite, take);
      const rested = selfTrade || incoming.timeInForce === 'IOC' ? 0 : left;
      if (rested > 0) rest({ ...incoming, quantity: rested });
      return { fills, rested, cancelled: left - rested };
    },
    restore: (entry) => {
      requireNew(entry, resting);
      rest(entry);
    },
    cancel,
    reduce: (id, quantity) => {
      const entry = resting.get(id);
      if (!entry) return null;
      requireQuantity(quantity);
      if (quantity < entry.quantity) take(entry, entry.quantity - quantity);
      return toEntry(entry);
    },
    expire: (timeInForce) => {
      const leaving = [...sides.Bid.entries(), ...sides.Ask.entries()].filter(
        (entry) => timeInForce === undefined || entry.timeInForce === timeInForce,
      );
      return leaving.map(({ id }) => cancel(id)).filter((entry) => entry !== null);
    },
    get: (id) => {
      const entry = resting.get(id);
      return entry ? toEntry(entry) : null;
    },
    best: (side) => sides[side].best(),
    levels: (side, limit = Infinity) => sides[side].levels(limit),
    entries: (side) => Array.from(sides[side].entries(), toEntry),
    meanPrice: (side, levels = Infinity) => sides[side].meanPrice(levels),
    size: () => resting.size,
  };
}

function match(incoming: Entry, opposite: BookSide, take: (entry: Resting, quantity: number) => void) {
  const fills: Fill[] = [];
  let left = incoming.quantity;
  let next = opposite.first();
  while (left > 0 && next && reaches(incoming, next.price)) {
    if (next.owner === incoming.owner) return { fills, left, selfTrade: true };
    const quantity = Math.min(left, next.quantity);
    fills.push({ restingId: next.id, price: next.price, quantity });
    take(next, quantity);
    left -= quantity;
    next = opposite.first();
  }
  return { fills, left, selfTrade: false };
}

function reaches({ side, price }: Entry, opposite: number): boolean {
  return side === 'Bid' ? price >= opposite : price <= opposite;
}

function oppositeOf(side: Side): Side {
  return side === 'Bid' ? 'Ask' : 'Bid';
}

function requireNew({ id, price, quantity }: Entry, resting: ReadonlyMap<bigint, Entry>): void {
  if (!Number.isSafeInteger(price)) throw new RangeError(`price ${price} is not whole ticks`);
  if (resting.has(id)) throw new RangeError(`entry ${String(id)} rests already`);
  requireQuantity(quantity);
}

function requireQuantity(quantity: number): void {
  const isCount = Number.isSafeInteger(quantity) && quantity > 0;
  if (!isCount) throw new RangeError(`quantity ${quantity} is not whole contracts`);
}

function toEntry({ id, owner, side, price, timeInForce, quantity }: Entry): Entry {
  return { id, owner, side, price, timeInForce, quantity };
}
