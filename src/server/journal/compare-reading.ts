import { copyOf, NO_ROWS, readRows, type RowList, type RowReading } from '#server/core/row-list.ts';
import { hasChanged } from '#contract/parse/row-texts.ts';
import { type Change, idTextOf, type RowText, toId } from './segment/change.ts';

/** A response of the exchange: its orders as written, without the brackets, and its time in epoch milliseconds. */
interface ReadPart {
  readonly text: string;
  readonly at: number;
}

/** One reading of the whole working set. */
export interface Reading {
  readonly parts: readonly ReadPart[];
  /** False if the working set was not read completely: an order that is missing may still be working. */
  readonly isComplete: boolean;
  /** The comparison of its rows with another reading, if it was already made. */
  readonly rows?: RowReading | undefined;
}

/** The working orders, as far as they are known. */
export interface Book {
  readonly list: RowList;
  /** When each order was last read. */
  readonly times: readonly number[];
  /** When the last complete reading began; null before the first. */
  readonly completeAt: number | null;
}

/** The step from one book to the next. */
interface Comparison {
  /** In the order of the readings. */
  readonly changes: readonly Change[];
  readonly apply: () => Book;
}

/** @internal Exported for its test. */
export function createBook(): Book {
  return { list: NO_ROWS, times: [], completeAt: null };
}

/** Creates the book of orders that were read at one moment, for example before a restart. */
export function toBook(orders: Iterable<RowText>, readAt: number, completeAt: number | null): Book {
  const rows = [...orders];
  const keys = rows.map(idTextOf);
  return { list: { keys, rows }, times: keys.map(() => readAt), completeAt };
}

/**
 * Finds the changes that a reading shows. If it lists an order twice, the first row counts. `goneOf` returns the change
 * that recorded an order of no book as gone.
 */
export function compareReading(
  book: Book,
  { parts, isComplete, rows }: Reading,
  goneOf: (id: string) => Change | undefined = nothing,
): Comparison {
  const texts = parts.map(({ text }) => text);
  const { list, counts, diff } = rows?.from.deref() === book.list ? rows : readRows(book.list, texts, 'id');
  const times = parts.flatMap(({ at }, part) => Array.from({ length: counts[part] ?? 0 }, () => at));
  const to = Math.max(...parts.map(({ at }) => at));
  const timeOf = (place: number): number => times[place] ?? to;
  const shown = [
    ...diff.added.map(({ key, row, place }) => {
      const change = { id: toId(key), from: book.completeAt, to: timeOf(place), row: copyOf(row) };
      return { place, change: toSeen(change, goneOf) };
    }),
    ...diff.changed.flatMap(([before, { key, row, place }]) => {
      if (!hasChanged(before.row, row)) return [];
      const from = book.times[before.place] ?? book.completeAt;
      return { place, change: { kind: 'changed' as const, id: toId(key), from, to: timeOf(place), row: copyOf(row) } };
    }),
  ].sort((a, b) => a.place - b.place);
  const gone = (isComplete ? diff.gone : []).map(({ key, row, place }) => {
    return { kind: 'gone' as const, id: toId(key), from: book.times[place] ?? to, to, row: copyOf(row) };
  });
  return {
    changes: [...shown.map(({ change }) => change), ...gone].sort((a, b) => a.to - b.to),
    apply: () => {
      const left = isComplete ? [] : diff.gone;
      const next = rows?.list ?? list;
      return {
        // The next comparison starts from the list of the reading, if there is one.
        list:
          left.length === 0
            ? next
            : {
                keys: [...next.keys, ...left.map(({ key }) => key)],
                rows: [...next.rows, ...left.map(({ row }) => row)],
              },
        times: [...times, ...left.map(({ place }) => book.times[place] ?? to)],
        completeAt: isComplete ? Math.min(...parts.map(({ at }) => at)) : book.completeAt,
      };
    },
  };
}

function toSeen(change: Omit<Change, 'kind'>, goneOf: (id: string) => Change | undefined): Change {
  const gone = goneOf(change.id);
  return gone === undefined ? { ...change, kind: 'seen' } : { ...change, kind: 'returned', from: gone.from };
}

function nothing(): undefined {
  return undefined;
}
