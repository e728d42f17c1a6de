import { cutRows } from '#contract/parse/row-texts.ts';
import { copyOf, createMatcher, noRows, type RowSet } from '#server/core/row-matcher.ts';
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
}

/** The orders that are working as far as is known. */
export interface Book {
  readonly set: RowSet;
  /** When each was read last. */
  readonly times: readonly number[];
  /** When the last complete reading began; null: there was none. */
  readonly completeAt: number | null;
}

/** Turns one book into the next. */
export interface Comparison {
  /** In the order of their readings. */
  readonly changes: readonly Change[];
  /** The next book, from which the one before cannot be updated any more. */
  readonly apply: () => Book;
}

export function createBook(): Book {
  return { set: noRows(), times: [], completeAt: null };
}

/** Orders that were read at some moment, for example before a restart. */
export function toBook(orders: Iterable<RowText>, readAt: number, completeAt: number | null): Book {
  const rows = [...orders];
  const keys = rows.map(idTextOf);
  return { set: { keys, rows, known: new Set(keys) }, times: keys.map(() => readAt), completeAt };
}

/** What a reading shows that the book does not have yet. Of orders that it has twice, the first counts. `goneOf`: when an order was gone that is not in the book. */
export function compareReading(
  book: Book,
  { parts, isComplete }: Reading,
  goneOf: (id: string) => Change | undefined = nothing,
): Comparison {
  const match = createMatcher(book.set, 'id');
  const next = { keys: [] as string[], rows: [] as string[], times: [] as number[] };
  const changes: Change[] = [];
  const gone: string[] = [];
  const keep = (key: string, row: string, at: number): void => {
    next.keys.push(key);
    next.rows.push(row);
    next.times.push(at);
  };
  for (const { text, at } of parts) {
    for (const row of cutRows(text, match.expected)) {
      const found = match.next(row);
      if (found === null) continue;
      const change = toChange(book, found.position, { row, to: at });
      if (change !== null) changes.push(toReturned({ ...change, id: toId(found.key) }, goneOf));
      keep(found.key, row, at);
    }
  }
  const to = Math.max(...parts.map(({ at }) => at));
  for (const position of match.missing()) {
    const [key = '', row = '', from = to] = [book.set.keys[position], book.set.rows[position], book.times[position]];
    if (isComplete) {
      gone.push(key);
      changes.push({ kind: 'gone', id: toId(key), from, to, row: copyOf(row) });
    } else keep(key, row, from);
  }
  return {
    changes: changes.sort((a, b) => a.to - b.to),
    apply: () => {
      for (const key of gone) book.set.known.delete(key);
      for (const key of match.added) book.set.known.add(key);
      const completeAt = isComplete ? Math.min(...parts.map(({ at }) => at)) : book.completeAt;
      return { set: { keys: next.keys, rows: next.rows, known: book.set.known }, times: next.times, completeAt };
    },
  };
}

function toChange(
  { set, times, completeAt }: Book,
  position: number | null,
  { row, to }: Pick<Change, 'row' | 'to'>,
): Omit<Change, 'id'> | null {
  if (position === null) return { kind: 'seen', from: completeAt, to, row: copyOf(row) };
  if (set.rows[position] === row) return null;
  return { kind: 'changed', from: times[position] ?? completeAt, to, row: copyOf(row) };
}

function toReturned(change: Change, goneOf: (id: string) => Change | undefined): Change {
  const gone = change.kind === 'seen' ? goneOf(change.id) : undefined;
  return gone === undefined ? change : { ...change, kind: 'returned', from: gone.from };
}

function nothing(): undefined {
  return undefined;
}
