import type { Side, TimeInForce } from '../model.ts';
import { createBookSide, type BookSide, type Entry, type Level, type Resting } from './book-side.ts';

export type { Entry };

/** A trade of the incoming entry with one that rested. */
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
  /** Contracts that neither traded nor rest: the rest of an IOC, or what met an entry of the same owner. */
  readonly cancelled: number;
}

/** The book of one product: limit orders by price, then by time. */
export interface Book {
  /** Trades what can be traded; then the rest rests, unless it may not. */
  readonly place: (incoming: Entry) => Placement;
  /** Puts an entry last in its price without trading: how a saved book is built up again, oldest entry first. */
  readonly restore: (entry: Entry) => void;
  /** Gives the entry as it was; null where it does not rest. */
  readonly cancel: (id: bigint) => Entry | null;
  /** Leaves at most so many contracts resting, at the same place in the queue. Null where the entry does not rest. */
  readonly reduce: (id: bigint, quantity: number) => Entry | null;
  /** Takes out all entries (of a time in force), gives them in the order bids, asks; each side by priority. */
  readonly expire: (timeInForce?: TimeInForce) => readonly Entry[];
  readonly get: (id: bigint) => Entry | null;
  readonly best: (side: Side) => Level | null;
  /** Best first; all of them where no limit is given. */
  readonly levels: (side: Side, limit?: number) => readonly Level[];
  /** By priority. */
  readonly entries: (side: Side) => readonly Entry[];
  /** Quantity-weighted mean price over the (best so many) levels, in ticks; null where nothing rests. */
  readonly meanPrice: (side: Side, levels?: number) => number | null;
  readonly size: () => number;
}

/**
 * An empty book. Nobody trades with himself: an incoming entry that would meet one of its owner stops there and its rest
 * is cancelled, so what was in the book keeps its place and nobody can pull it by trading at it.
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
      checkNew(incoming, resting);
      const opposite = sides[oppositeOf(incoming.side)];
      const { fills, left, metOwn } = match(incoming, opposite, take);
      const rested = metOwn || incoming.timeInForce === 'IOC' ? 0 : left;
      if (rested > 0) rest({ ...incoming, quantity: rested });
      return { fills, rested, cancelled: left - rested };
    },
    restore: (entry) => {
      checkNew(entry, resting);
      rest(entry);
    },
    cancel,
    reduce: (id, quantity) => {
      const entry = resting.get(id);
      if (!entry) return null;
      checkContracts(quantity);
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
    if (next.owner === incoming.owner) return { fills, left, metOwn: true };
    const quantity = Math.min(left, next.quantity);
    fills.push({ restingId: next.id, price: next.price, quantity });
    take(next, quantity);
    left -= quantity;
    next = opposite.first();
  }
  return { fills, left, metOwn: false };
}

function reaches({ side, price }: Entry, opposite: number): boolean {
  return side === 'Bid' ? price >= opposite : price <= opposite;
}

function oppositeOf(side: Side): Side {
  return side === 'Bid' ? 'Ask' : 'Bid';
}

function checkNew({ id, price, quantity }: Entry, resting: ReadonlyMap<bigint, Entry>): void {
  if (!Number.isSafeInteger(price)) throw new RangeError(`price ${price} is not whole ticks`);
  if (resting.has(id)) throw new RangeError(`entry ${String(id)} rests already`);
  checkContracts(quantity);
}

function checkContracts(quantity: number): void {
  const isCount = Number.isSafeInteger(quantity) && quantity > 0;
  if (!isCount) throw new RangeError(`quantity ${quantity} is not whole contracts`);
}

function toEntry({ id, owner, side, price, timeInForce, quantity }: Entry): Entry {
  return { id, owner, side, price, timeInForce, quantity };
}
