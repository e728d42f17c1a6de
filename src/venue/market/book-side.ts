import type { Side, TimeInForce } from '../core/model.ts';

interface Priced {
  readonly price: number;
}

/** The prices of one side of a book, sorted. */
interface PriceLadder<Rung extends Priced> {
  readonly best: () => Rung | null;
  /** The rung of a price, made if there is none. */
  readonly at: (price: number) => Rung;
  readonly remove: (rung: Rung) => void;
  /** Best first. */
  readonly top: (limit: number) => Rung[];
  readonly size: () => number;
}

/**
 * An array with the best price last: prices are found by binary search, and the busiest ones are near the end, where
 * inserting is cheap.
 */
function createPriceLadder<Rung extends Priced>(side: Side, make: (price: number) => Rung): PriceLadder<Rung> {
  const direction = side === 'Bid' ? 1 : -1;
  const rungs: Rung[] = [];

  const isWorse = (rung: Rung | undefined, price: number): boolean =>
    rung !== undefined && (rung.price - price) * direction < 0;

  /** The index of a price, or where it belongs. */
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
  /** For self-trade prevention: an account's id, or a market maker's name. */
  readonly owner: string;
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly timeInForce: TimeInForce;
  /** Contracts that are still open. */
  readonly quantity: number;
}

/** The total at one price. */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** An entry in the queue of its price. */
export interface Resting extends Entry {
  quantity: number;
  readonly queue: Queue;
  before: Resting | null;
  behind: Resting | null;
}

/** The entries of one price, oldest first: a linked list, so that removing any of them is fast. */
interface Queue extends Level {
  quantity: number;
  first: Resting | null;
  last: Resting | null;
}

/** One side of a book. Within a price, the oldest entry trades first. */
export interface BookSide {
  /** The entry that trades next. */
  readonly first: () => Resting | null;
  readonly best: () => Level | null;
  readonly add: (entry: Entry) => Resting;
  /** Reduces an entry, which keeps its place in the queue; an empty entry is removed. */
  readonly take: (resting: Resting, quantity: number) => void;
  /** Best price first. */
  readonly levels: (limit: number) => Level[];
  /** By priority. */
  readonly entries: () => Resting[];
  /** Quantity-weighted mean price of the best levels, in ticks; null where the side is empty. */
  readonly meanPrice: (levels: number) => number | null;
}

export function createBookSide(side: Side): BookSide {
  const ladder = createPriceLadder<Queue>(side, (price) => ({ price, quantity: 0, first: null, last: null }));
  // Totals of the whole side, updated with every change, as the mean of all levels is read every few seconds.
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
