import type { Side, TimeInForce } from '../model.ts';

/** What rests in a book: an order's rest, or a market maker's quote. */
export interface Entry {
  readonly id: bigint;
  /** Who must not trade with himself: an account's id, or a market maker's name. */
  readonly owner: string;
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly timeInForce: TimeInForce;
  /** Contracts that still rest. */
  readonly quantity: number;
}

/** All that rests at one price. */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** An entry at its place in the queue of its price. */
export interface Resting extends Entry {
  quantity: number;
  readonly level: Queue;
  before: Resting | null;
  behind: Resting | null;
}

interface Queue extends Level {
  quantity: number;
  first: Resting | null;
  last: Resting | null;
}

/** One side of a book. Within a price, who came first trades first. */
export interface BookSide {
  /** The entry that trades next. */
  readonly first: () => Resting | null;
  readonly best: () => Level | null;
  readonly add: (entry: Entry) => Resting;
  /** Takes contracts off an entry, which keeps its place; at nothing left it is gone from the side. */
  readonly take: (resting: Resting, quantity: number) => void;
  /** Best price first. */
  readonly levels: (limit: number) => Level[];
  /** In the order in which they would trade. */
  readonly entries: () => Generator<Resting>;
  /** Quantity-weighted mean of the prices in ticks; null where nothing rests. */
  readonly meanPrice: (levels: number) => number | null;
}

/**
 * Prices are kept in an array with the best one last: it is found by halving, and the levels that come and go most are
 * near the end, where inserting moves next to nothing. Entries of a price are a linked list, so that leaving is
 * immediate wherever the entry stands.
 */
export function createBookSide(side: Side): BookSide {
  const direction = side === 'Bid' ? 1 : -1;
  const queues: Queue[] = [];
  let contracts = 0;
  let contractTicks = 0;

  const placeOf = (price: number): number => {
    let [low, high] = [0, queues.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((queues[middle]?.price ?? 0) - price) * direction < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const queueAt = (price: number): Queue => {
    const place = placeOf(price);
    const known = queues[place];
    if (known?.price === price) return known;
    const queue: Queue = { price, quantity: 0, first: null, last: null };
    queues.splice(place, 0, queue);
    return queue;
  };

  const count = (queue: Queue, quantity: number): void => {
    queue.quantity += quantity;
    contracts += quantity;
    contractTicks += quantity * queue.price;
  };

  return {
    first: () => queues.at(-1)?.first ?? null,
    best: () => toLevel(queues.at(-1)),
    add: (entry) => {
      const level = queueAt(entry.price);
      const resting: Resting = { ...entry, level, before: level.last, behind: null };
      if (level.last) level.last.behind = resting;
      else level.first = resting;
      level.last = resting;
      count(level, entry.quantity);
      return resting;
    },
    take: (resting, quantity) => {
      const { level } = resting;
      resting.quantity -= quantity;
      count(level, -quantity);
      if (resting.quantity > 0) return;
      unlink(resting);
      if (!level.first) queues.splice(placeOf(level.price), 1);
    },
    levels: (limit) => bestLevels(queues, limit),
    entries: function* () {
      for (const queue of queues.toReversed()) {
        for (let resting = queue.first; resting; resting = resting.behind) yield resting;
      }
    },
    meanPrice: (limit) =>
      limit >= queues.length ? divide(contractTicks, contracts) : meanOfLevels(bestLevels(queues, limit)),
  };
}

function unlink({ before, behind, level }: Resting): void {
  if (before) before.behind = behind;
  else level.first = behind;
  if (behind) behind.before = before;
  else level.last = before;
}

function toLevel(queue: Queue | undefined): Level | null {
  return queue ? { price: queue.price, quantity: queue.quantity } : null;
}

function bestLevels(queues: readonly Queue[], limit: number): Level[] {
  const best = queues.slice(Math.max(0, queues.length - limit)).reverse();
  return best.map(({ price, quantity }) => ({ price, quantity }));
}

function meanOfLevels(levels: readonly Level[]): number | null {
  const contracts = levels.reduce((sum, { quantity }) => sum + quantity, 0);
  return divide(
    levels.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
    contracts,
  );
}

function divide(contractTicks: number, contracts: number): number | null {
  return contracts === 0 ? null : contractTicks / contracts;
}
