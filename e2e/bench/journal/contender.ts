import type { Change, RowText } from '../../../src/gateway/journal/change.ts';

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
  /** How many orders were working at a reading of a segment, each with its row. */
  readonly countBook: (segment: number, reading: number) => Promise<number>;
  /** How many changes of an order there are. */
  readonly countLife: (id: string) => Promise<number>;
  /** Bytes on disk. */
  readonly size: () => number;
  /** The same without the database around it and its indexes, where that can be said. */
  readonly blockBytes?: () => number;
}
