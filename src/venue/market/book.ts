import type { Side, TimeInForce } from '../core/model.ts';

interface Priced {
  readonly price: number;
}

/** The sorted prices of one side of a book. */
interface PriceLadder<Rung extends Priced> {
  readonly best: () => Rung | null;
  /** Returns the rung of a price and creates it if necessary. */
  readonly at: (price: number) => Rung;
  readonly remove: (rung: Rung) => void;
  /** Returns the best rungs, best first. */
  readonly top: (limit: number) => Rung[];
  readonly size: () => number;
}

/**
 * Creates a ladder as an array with the best price last. Prices are found by binary search, and the busiest ones are
 * near the end, where inserting is cheap.
 */
function createPriceLadder<Rung extends Priced>(side: Side, make: (price: number) => Rung): PriceLadder<Rung> {
  const direction = side === 'Bid' ? 1 : -1;
  const rungs: Rung[] = [];

  const isWorse = (rung: Rung | undefined, price: number): boolean =>
    rung !== undefined && (rung.price - price) * direction < 0;

  /** Returns the index of a price, or where it belongs. */
  const indexOf = (price: number): number => {
    let low = 0;
    let high = rungs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isWorse(rungs[middle], price)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    best: () => rungs.at(-1) ?? null,
    at: (price) => {
      const index = indexOf(price);
      const known = rungs[index];
      if (known?.price === price) return known;
      const rung = make(price);
      rungs.splice(index, 0, rung);
      return rung;
    },
    remove: (rung) => {
      if (rungs.at(-1) === rung) rungs.pop();
      else rungs.splice(indexOf(rung.price), 1);
    },
    top: (limit) => rungs.slice(Math.max(0, rungs.length - limit)).reverse(),
    size: () => rungs.length,
  };
}

/** An entry in a book: the open quantity of an order, or a market maker's quote. */
export interface Entry {
  readonly id: bigint;
  /** Identifies the owner for self-trade prevention: an account's id or a market maker's name. */
  readonly owner: string;
  readonly side: Side;
  /** In ticks. */
  readonly price: number;
  readonly timeInForce: TimeInForce;
  /** The contracts that are still open. */
  readonly quantity: number;
}

/** The total quantity at one price. */
interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** An entry in the queue of its price. */
interface Resting extends Entry {
  quantity: number;
  readonly queue: Queue;
  before: Resting | null;
  behind: Resting | null;
}

/** The entries at one price, oldest first. It is a linked list, so that removing any entry is fast. */
interface Queue extends Level {
  quantity: number;
  first: Resting | null;
  last: Resting | null;
}

/** One side of a book. At each price, the oldest entry trades first. */
interface BookSide {
  /** Returns the entry that trades next. */
  readonly first: () => Resting | null;
  readonly best: () => Level | null;
  readonly add: (entry: Entry) => Resting;
  /** Reduces an entry, which keeps its place in the queue. Removes it if nothing is left. */
  readonly take: (resting: Resting, quantity: number) => void;
  /** Returns the best levels, best price first. */
  readonly levels: (limit: number) => Level[];
  /** Returns all entries of the side, by priority. */
  readonly entries: () => Resting[];
  /** Returns the quantity-weighted mean price of the best levels, in ticks; null if the side is empty. */
  readonly meanPrice: (levels: number) => number | null;
}

function createBookSide(side: Side): BookSide {
  const ladder = createPriceLadder<Queue>(side, (price) => ({ price, quantity: 0, first: null, last: null }));
  // The totals of the whole side are updated with every change, because the mean of all levels is read every few
  // seconds.
  let contracts = 0;
  let contractTicks = 0;

  const count = (queue: Queue, quantity: number): void => {
    queue.quantity += quantity;
    contracts += quantity;
    contractTicks += quantity * queue.price;
  };

  return {
    first: () => ladder.best()?.first ?? null,
    best: () => {
      const queue = ladder.best();
      return queue && toLevel(queue);
    },
    add: (entry) => {
      const resting = append(ladder.at(entry.price), entry);
      count(resting.queue, entry.quantity);
      return resting;
    },
    take: (resting, quantity) => {
      resting.quantity -= quantity;
      count(resting.queue, -quantity);
      if (resting.quantity === 0) unlink(resting);
      if (!resting.queue.first) ladder.remove(resting.queue);
    },
    levels: (limit) => ladder.top(limit).map(toLevel),
    entries: () => ladder.top(Infinity).flatMap(listEntries),
    meanPrice: (limit) => (limit >= ladder.size() ? divide(contractTicks, contracts) : meanPrice(ladder.top(limit))),
  };
}

function append(queue: Queue, entry: Entry): Resting {
  const resting: Resting = { ...entry, queue, before: queue.last, behind: null };
  if (queue.last) queue.last.behind = resting;
  else queue.first = resting;
  queue.last = resting;
  return resting;
}

function unlink({ before, behind, queue }: Resting): void {
  if (before) before.behind = behind;
  else queue.first = behind;
  if (behind) behind.before = before;
  else queue.last = before;
}

function toLevel({ price, quantity }: Level): Level {
  return { price, quantity };
}

function listEntries({ first }: Queue): Resting[] {
  const entries: Resting[] = [];
  for (let entry = first; entry; entry = entry.behind) entries.push(entry);
  return entries;
}

function meanPrice(levels: readonly Level[]): number | null {
  const contracts = levels.reduce((sum, { quantity }) => sum + quantity, 0);
  const contractTicks = levels.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return divide(contractTicks, contracts);
}

function divide(contractTicks: number, contracts: number): number | null {
  return contracts === 0 ? null : contractTicks / contracts;
}

/** A trade between the incoming entry and a resting one. */
export interface Fill {
  readonly restingId: bigint;
  /** The resting entry's price, in ticks. */
  readonly price: number;
  readonly quantity: number;
}

interface Placement {
  /** Fills in the order in which they happened. */
  readonly fills: readonly Fill[];
  /** The contracts that came to rest. */
  readonly rested: number;
  /** The contracts that were cancelled: the remainder of an IOC, or of an entry that met another of its own owner. */
  readonly cancelled: number;
}

/** The book of one product: limit orders sorted by price, then by time. */
export interface Book {
  /** Trades as much as possible. The remainder rests, unless it is cancelled. */
  readonly place: (incoming: Entry) => Placement;
  /**
   * Adds an entry behind all others at its price, without trading. A saved book is restored this way, oldest entry
   * first.
   */
  readonly restore: (entry: Entry) => void;
  /** Cancels an entry and returns it as it was; null if it does not rest. */
  readonly cancel: (id: bigint) => Entry | null;
  /** Reduces an entry to at most this quantity, without changing its place in the queue. Null if it does not rest. */
  readonly reduce: (id: bigint, quantity: number) => Entry | null;
  /** Removes all entries, or all of one time in force, and returns them: bids, then asks, each by priority. */
  readonly expire: (timeInForce?: TimeInForce) => readonly Entry[];
  readonly get: (id: bigint) => Entry | null;
  readonly best: (side: Side) => Level | null;
  /** Returns levels, best first; all of them if there is no limit. */
  readonly levels: (side: Side, limit?: number) => readonly Level[];
  /** Returns all entries of the side, by priority. */
  readonly entries: (side: Side) => readonly Entry[];
  /**
   * Returns the quantity-weighted mean price of the best levels (default: all), in ticks; null if the side is empty.
   */
  readonly meanPrice: (side: Side, levels?: number) => number | null;
  readonly size: () => number;
}

/**
 * Creates an empty book with self-trade prevention: an incoming entry that meets one of its own owner stops there, and
 * its remainder is cancelled. The resting entry stays, so an order cannot be pulled by trading against it.
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
