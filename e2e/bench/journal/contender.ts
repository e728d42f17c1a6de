import type { Change, RowText } from '../../../src/server/journal/segment/change.ts';

/** What is kept at once: the orders that were working at first, and all changes from there on. */
export interface Segment {
  readonly number: number;
  /** The reading that the base is of. */
  readonly start: number;
  readonly base: readonly { readonly id: string; readonly row: RowText }[];
  readonly changes: readonly Change[];
}

/** A way to keep changes of orders. */
export interface Contender extends AsyncDisposable {
  readonly keep: (segment: Segment) => Promise<void>;
  /** Once all that was begun is kept. */
  readonly settle?: () => Promise<void>;
  /** As a program does that was restarted: of what it remembered nothing is left, but the system may still have the files in memory. */
  readonly reopen?: () => Promise<void>;
  /** How many orders were working at a reading of a segment, each with its row. */
  readonly countBook: (segment: number, reading: number) => Promise<number>;
  /** How many changes of an order there are. */
  readonly countLife: (id: string) => Promise<number>;
  /** Bytes on disk. */
  readonly size: () => number;
  readonly counts?: Counts;
}

/** Changes counted as they were kept, which only some contenders have. */
export interface Counts {
  /** How many changes there are between two instants, with the figures of each account and product. */
  readonly count: (from: number, to: number) => Promise<number>;
  /** The least that reading these counts could take: each of their bytes once. */
  readonly readBytes: (from: number) => Promise<void>;
  /** Bytes of all of them, and bytes of all that is kept, indexes included, without the database around it. */
  readonly bytes: () => Promise<{ readonly counts: number; readonly all: number }>;
}
