import { NO_ROWS, copyOf, readRows, type RowList, type RowReading } from '#server/core/row-list.ts';
import { idTextOf, toId, type Change, type RowText } from './segment/change.ts';

/** A response of the exchange: its orders as written, without the brackets, and when it was answered, in epoch milliseconds. */
interface ReadPart {
  readonly text: string;
  readonly at: number;
}

/** One reading of the whole working set. */
export interface Reading {
  readonly parts: readonly ReadPart[];
  /** An order that is missing from an incomplete reading may still be working. */
  readonly isComplete: boolean;
  /** Its rows compared with those of another reading, as whoever read them has found. */
  readonly rows?: RowReading | undefined;
}

/** The orders that are working as far as is known. */
export interface Book {
  readonly list: RowList;
  /** When each was read last. */
  readonly times: readonly number[];
  /** When the last complete reading began; null: there was none. */
  readonly completeAt: number | null;
}

/** Turns one book into the next. */
export interface Comparison {
  /** In the order of their readings. */
  readonly changes: readonly Change[];
  readonly apply: () => Book;
}

export function createBook(): Book {
  return { list: NO_ROWS, times: [], completeAt: null };
}

/** Orders that were read at some moment, for example before a restart. */
export function toBook(orders: Iterable<RowText>, readAt: number, completeAt: number | null): Book {
  const rows = [...orders];
  const keys = rows.map(idTextOf);
  return { list: { keys, rows }, times: keys.map(() => readAt), completeAt };
}

/** What a reading shows that the book does not have yet. Of orders that it has twice, the first counts. `goneOf`: when an order was gone that is not in the book. */
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
    ...diff.changed.map(([before, { key, row, place }]) => {
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
        // With the list of the reading, the next one begins.
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
