import type { Micros } from '../../core/model.ts';

/** The order of events that are due at the same instant. */
export const EVENT_RANKS = {
  close: 0,
  settlement: 1,
  publication: 2,
  listing: 3,
  sample: 4,
  quote: 5,
  trade: 6,
} as const;
type Rank = (typeof EVENT_RANKS)[keyof typeof EVENT_RANKS];

/** The future events of the market. */
export interface EventQueue {
  readonly add: (time: Micros, rank: Rank, run: (time: Micros) => void) => void;
  /** Returns when the next event is due; infinity if there is none. */
  readonly next: () => Micros;
  readonly runNext: () => void;
}

interface Entry {
  readonly time: Micros;
  readonly rank: Rank;
  readonly order: number;
  readonly run: (time: Micros) => void;
}

/** Creates a binary heap ordered by time, then rank, then order of insertion, so that every run is the same. */
export function createEventQueue(): EventQueue {
  const heap: Entry[] = [];
  let added = 0;

  const swapIfBefore = (child: number, parent: number): boolean => {
    const [a, b] = [heap[child], heap[parent]];
    if (a === undefined || b === undefined || !isBefore(a, b)) return false;
    heap[child] = b;
    heap[parent] = a;
    return true;
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) return;
      const least = right !== undefined && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
      if (!swapIfBefore(least, at)) return;
      at = least;
    }
  };
  return {
    add: (time, rank, run) => {
      added += 1;
      heap.push({ time, rank, order: added, run });
      for (let at = heap.length - 1; at > 0 && swapIfBefore(at, (at - 1) >> 1);) at = (at - 1) >> 1;
    },
    next: () => heap[0]?.time ?? Infinity,
    runNext: () => {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return;
      if (heap.length > 0) {
        heap[0] = last;
        sink();
      }
      first.run(first.time);
    },
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  if (a.time !== b.time) return a.time < b.time;
  return a.rank === b.rank ? a.order < b.order : a.rank < b.rank;
}
