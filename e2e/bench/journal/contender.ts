import type { Change, RowText } from '../../../src/server/journal/segment/change.ts';

/** What is stored together: the orders that were working at first, and all changes since. */
export interface Segment {
  readonly number: number;
  /** The reading at which the base was taken. */
  readonly start: number;
  readonly base: readonly { readonly id: string; readonly row: RowText }[];
  readonly changes: readonly Change[];
}

/** A way to store changes of orders. */
export interface Contender extends AsyncDisposable {
  readonly keep: (segment: Segment) => Promise<void>;
  /** Resolves once everything begun is stored. */
  readonly settle?: () => Promise<void>;
  /**
   * Reopens the storage as a restarted program does: nothing that it remembered is left, but the system may still have
   * the files in memory.
   */
  readonly reopen?: () => Promise<void>;
  /** Returns how many orders were working at a reading of a segment, each with its row. */
  readonly countBook: (segment: number, reading: number) => Promise<number>;
  /** Returns how many changes of an order there are. */
  readonly countLife: (id: string) => Promise<number>;
  /** Returns the bytes on disk. */
  readonly size: () => number;
  readonly counts?: Counts;
}

/** Changes that were counted when they were stored, which only some contenders do. */
export interface Counts {
  /** Returns how many changes there are between two instants, with the figures of each account and product. */
  readonly count: (from: number, to: number) => Promise<number>;
  /** Reads each of their bytes once, the least that reading these counts could take. */
  readonly readBytes: (from: number) => Promise<void>;
  /**
   * Returns the bytes of all counts, and of everything stored, including indexes but without the database around it.
   */
  readonly bytes: () => Promise<{ readonly counts: number; readonly all: number }>;
}
