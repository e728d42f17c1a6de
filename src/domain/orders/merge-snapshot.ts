import { keepsDigits, wireText } from '#contract/json-text.ts';
import type { OrderId } from '#contract/ids.ts';
import type { Order } from '#contract/order.ts';
import type { OrderRow } from './order-row.ts';
import { compareNewest, type WorkingProof } from './working-proof.ts';

type OrderField = keyof Order;

/** What is new about a row since somebody last looked. */
type OrderMark =
  | { readonly kind: 'added' }
  | { readonly kind: 'changed'; readonly fields: ReadonlySet<OrderField> }
  /** In the last answer there is no such order any more: it is kept, as it was, until seen. */
  | { readonly kind: 'gone' };

/** A list of orders that follows the venue's answers, with what has not been seen yet. */
export interface OrderBook {
  /** Those of the last answer, the newest first. */
  readonly rows: readonly OrderRow[];
  /** Not in the last answer, which was not all there is: whether they still rest is not known. The newest first. */
  readonly unread: readonly OrderRow[];
  /** Those that are gone but not seen, the newest first: those that went last, where they are too many. */
  readonly gone: readonly OrderRow[];
  /** How many are gone but not seen, in the list or not. */
  readonly goneCount: number;
  readonly marks: ReadonlyMap<OrderId, OrderMark>;
  /** How many orders the last answer added, changed or took away. */
  readonly news: number;
}

/** Of those that went away unseen, as many as anybody could look through. */
const MOST_GONE = 1_000;

/** The first answer: nothing in it is news. */
export function createOrderBook(rows: readonly OrderRow[]): OrderBook {
  return { rows, unread: [], gone: [], goneCount: 0, marks: new Map(), news: 0 };
}

/**
 * Takes in the next answer: what was added, which fields changed and what is gone is marked, on top of what was unseen.
 * What an answer that is not complete lacks may rest still: it is unread, not gone.
 */
export function mergeSnapshot(book: OrderBook, next: readonly OrderRow[], { complete }: Pick<WorkingProof, 'complete'>): OrderBook {
  const { marks, news, missing } = compareRows(book, next);
  const unread = complete ? [] : missing.map((row): OrderRow => ({ ...row, absent: 'unread' }));
  for (const { order } of unread) putMark(marks, order.id, book.marks.get(order.id));
  const left = complete ? missing : [];
  // What is there again is marked by now.
  const stillGone = book.gone.filter(({ order }) => !marks.has(order.id));
  const goneNow = left.slice(0, MOST_GONE).map((row): OrderRow => ({ ...row, absent: 'gone' }));
  const gone = mergeNewest(goneNow, stillGone.slice(0, MOST_GONE - goneNow.length));
  for (const { order } of gone) marks.set(order.id, { kind: 'gone' });
  const goneCount = left.length + book.goneCount - (book.gone.length - stillGone.length);
  return { rows: next, unread, gone, goneCount, marks, news: news + left.length };
}

function compareRows(book: OrderBook, next: readonly OrderRow[]) {
  const before = new Map(mergeNewest(book.rows, book.unread).map((row) => [row.order.id, row]));
  const marks = new Map<OrderId, OrderMark>();
  let news = 0;
  for (const { order } of next) {
    const known = before.get(order.id);
    before.delete(order.id);
    const fields = known === undefined ? NONE : changedFields(known.order, order);
    putMark(marks, order.id, known === undefined ? NEW : toChangedMark(book.marks.get(order.id), fields));
    if (known === undefined || fields.length > 0) news += 1;
  }
  return { marks, news, missing: [...before.values()] };
}

function putMark(marks: Map<OrderId, OrderMark>, id: OrderId, mark: OrderMark | undefined): void {
  if (mark !== undefined) marks.set(id, mark);
}

/** All that is to be shown: what is gone or unread stays where it was, so that nothing moves by it. */
export function listRows({ rows, unread, gone }: OrderBook): readonly OrderRow[] {
  return mergeNewest(mergeNewest(rows, unread), gone);
}

/** Two lists that are the newest first already: sorting ten thousand anew for one that is gone would cost more than all else. */
function mergeNewest(rows: readonly OrderRow[], others: readonly OrderRow[]): readonly OrderRow[] {
  if (others.length === 0) return rows;
  const merged: OrderRow[] = [];
  let at = 0;
  for (const other of others) {
    for (let row = rows[at]; row !== undefined && compareNewest(row.order, other.order) < 0; row = rows[at]) {
      merged.push(row);
      at += 1;
    }
    merged.push(other);
  }
  return [...merged, ...rows.slice(at)];
}

/** Also one that was gone and is there again: it was missing from an answer, which is news. */
const NEW: OrderMark = { kind: 'added' };

function toChangedMark(mark: OrderMark | undefined, fields: readonly OrderField[]): OrderMark | undefined {
  if (fields.length === 0 || mark?.kind === 'added') return mark;
  return { kind: 'changed', fields: new Set([...(mark?.kind === 'changed' ? mark.fields : []), ...fields]) };
}

/** Fields of which the wire said something else. */
function changedFields(before: Order, after: Order): readonly OrderField[] {
  if (before === after) return NONE;
  let changed: OrderField[] | null = null;
  for (const field in after) {
    if (isSame(before, after, field as OrderField)) continue;
    changed ??= [];
    changed.push(field as OrderField);
  }
  return changed ?? NONE;
}

const NONE: readonly OrderField[] = [];

/** Two numbers that a float cannot tell apart may still be two on the wire. */
function isSame(before: Order, after: Order, field: OrderField): boolean {
  const value: unknown = after[field];
  if (before[field] !== value) return false;
  return typeof value !== 'number' || !(keepsDigits(before) || keepsDigits(after)) || wireText(before, field) === wireText(after, field);
}

/** Everything has been looked at: marks go, and with them what is gone. */
export function markSeen(book: OrderBook): OrderBook {
  return book.marks.size === 0 ? book : { ...book, gone: [], goneCount: 0, marks: new Map() };
}
