import { compareInstants, isInstant } from '#contract/exchange/instant.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { toText } from '#server/core/order-rows.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { OrderSequence } from './plan-order-reads.ts';

/** A page of the exchange. */
export interface OrderPage {
  /** As written. */
  readonly rows: readonly string[];
  /** Null: there is no next page. */
  readonly next: string | null;
}

/** Where to go on in a sequence: after an order of the page that a cursor names; null: it is at its end. */
export type Place = {
  readonly cursor: string | null;
  readonly after: string | null;
  /** Of the page that this order was on: a smaller one may end before it. */
  readonly size: number;
} | null;

export interface MergeRequest {
  readonly sequences: readonly OrderSequence[];
  /** One for each sequence. */
  readonly places: readonly Place[];
  readonly limit: number;
  readonly isNewestFirst: boolean;
  readonly maxReads: number;
  readonly read: (sequence: OrderSequence, cursor: string | null, size: number) => Promise<OrderPage>;
}

export interface Merged {
  readonly rows: readonly string[];
  readonly places: readonly Place[];
}

export const START: NonNullable<Place> = { cursor: null, after: null, size: 0 };

/** The next orders of all sequences, sorted by time as each of them is. Short of the limit if it takes more reads. */
export async function mergeOrderPages(request: MergeRequest): Promise<Merged> {
  const { sequences, places, limit, isNewestFirst } = request;
  const budget = { left: request.maxReads };
  const readers = sequences.map((sequence, index) =>
    createSequenceReader(request, sequence, places[index] ?? null, budget),
  );
  const rows: string[] = [];
  while (rows.length < limit) {
    const heads = await Promise.all(readers.map((reader) => reader.head()));
    // Which of them comes next is unknown without the head of each.
    if (heads.includes(UNREAD)) break;
    const next = findFirst(
      heads.map((head) => (head === UNREAD ? null : head)),
      isNewestFirst,
    );
    if (next === null) break;
    rows.push(next.row);
    readers[next.index]?.advance();
  }
  return { rows, places: readers.map((reader) => reader.place()) };
}

/** The next row is not within the reads that are left. */
const UNREAD = Symbol('unread');
/** Null: the end. */
type Head = string | typeof UNREAD | null;

interface Found {
  readonly row: string;
  readonly index: number;
}

function findFirst(heads: readonly (string | null)[], isNewestFirst: boolean): Found | null {
  let first: Found | null = null;
  for (const [index, row] of heads.entries()) {
    if (row !== null && (first === null || comesBefore(row, first.row, isNewestFirst))) first = { row, index };
  }
  return first;
}

function comesBefore(row: string, other: string, isNewestFirst: boolean): boolean {
  const [time, otherTime] = [toText(fieldOf(row, 'time')), toText(fieldOf(other, 'time'))];
  if (!isInstant(time) || !isInstant(otherTime)) return false;
  return isNewestFirst ? compareInstants(time, otherTime) > 0 : compareInstants(time, otherTime) < 0;
}

interface Current extends OrderPage {
  readonly cursor: string | null;
  readonly size: number;
  /** The next of its rows. */
  at: number;
}

function createSequenceReader(
  { read, limit }: MergeRequest,
  sequence: OrderSequence,
  start: Place,
  budget: { left: number },
) {
  let place: Place = start;
  let page: Current | null = null;

  const open = async ({ cursor, after, ...known }: NonNullable<Place>): Promise<void> => {
    budget.left -= 1;
    const size = Math.max(known.size, limit);
    const { rows, next } = await read(sequence, cursor, size);
    const found = after === null ? -1 : rows.findIndex((row) => idOf(row) === after);
    if (after === null || found !== -1) {
      page = { rows, next, cursor, size, at: found + 1 };
      return;
    }
    // Newer orders have moved it to a later page.
    if (next === null) throw toMissing();
    place = { cursor: next, after, size };
  };

  const step = (current: Current): void => {
    current.at += 1;
    place = { cursor: current.cursor, after: idOf(current.rows[current.at - 1] ?? ''), size: current.size };
  };

  /** After the last row of a page: the next one, or the end. An empty page is the end, as for every client of the interface. */
  const leave = ({ rows, next }: Current): void => {
    place = next === null || rows.length === 0 ? null : { ...START, cursor: next };
    page = null;
  };

  const head = async (): Promise<Head> => {
    while (place !== null) {
      const row = page?.rows[page.at];
      if (page === null && budget.left <= 0) return UNREAD;
      if (page === null) await open(place);
      else if (row === undefined) leave(page);
      else if (sequence.counts(row)) return row;
      else step(page);
    }
    return null;
  };

  return {
    head,
    advance: () => {
      if (page !== null) step(page);
    },
    place: (): Place => {
      if (page !== null && page.at === page.rows.length) leave(page);
      return place;
    },
  };
}

function idOf(row: string): string {
  return toText(fieldOf(row, 'id'));
}

function toMissing(): VenueFailure {
  return new VenueFailure({
    type: 'bad-parameter',
    detail: 'The order that this page begins after is no longer there: begin with the first page.',
    parameter: 'cursor',
  });
}
