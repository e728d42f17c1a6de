import type { OrderId } from '#contract/ids.ts';
import type { Cursor } from '#contract/paging.ts';
import { toSpan, withoutRows, type HeldPage, type PageSpan, type ReadPage } from './page-span.ts';
import { compareInReading, toPlace, type Direction, type Place } from './place.ts';

/** All that was read, from one end without a hole. */
export interface PageList<Row> {
  readonly spans: readonly PageSpan<Row>[];
  /** The number of each page's first row. */
  readonly starts: readonly number[];
  readonly rowCount: number;
  readonly first: Place | null;
  /** Which pages' rows are in memory, in order: a few of thousands, so that nobody need look through all of them. */
  readonly inMemory: readonly number[];
}

export const NOTHING_READ: PageList<never> = { spans: [], starts: [], rowCount: 0, first: null, inMemory: [] };

/** Adds a page at the far end, without the rows that the one before it has already. */
export function appendPage<Row extends Place>(list: PageList<Row>, page: ReadPage<Row>): PageList<Row> {
  const span = toSpan(page, withoutRepeats(page.rows, list.spans.at(-1)));
  if (span === null) return list;
  return {
    spans: [...list.spans, span],
    starts: [...list.starts, list.rowCount],
    rowCount: list.rowCount + span.count,
    first: list.first ?? firstOf(span),
    inMemory: [...list.inMemory, list.spans.length],
  };
}

/** Puts the rows of a page that was dropped back into it. Rows that have come into its stretch since are in it too. */
export function refillPage<Row extends Place>(list: PageList<Row>, index: number, page: ReadPage<Row>, direction: Direction): PageList<Row> {
  const span = list.spans[index];
  if (span === undefined) return list;
  const own = toOwnRows(page.rows, span, list.spans[index - 1], direction);
  const filled = toSpan({ ...page, cursor: span.cursor }, own);
  if (filled === null) return toList(list.spans.filter((_, at) => at !== index), list.first);
  const spans = list.spans.with(index, filled);
  if (filled.count !== span.count) return toList(spans, list.first);
  return { ...list, spans, inMemory: [...list.inMemory.filter((at) => at !== index), index].sort((a, b) => a - b) };
}

/** Forgets the rows of some pages, not the pages. */
export function dropRows<Row>(list: PageList<Row>, indexes: ReadonlySet<number>): PageList<Row> {
  if (indexes.size === 0) return list;
  const spans = [...list.spans];
  for (const at of indexes) {
    const span = spans[at];
    if (span !== undefined) spans[at] = withoutRows(span);
  }
  return { ...list, spans, inMemory: list.inMemory.filter((at) => !indexes.has(at)) };
}

/** Without the last page, where that is what a cursor leads to. */
export function withoutLast<Row extends Place>(list: PageList<Row>, cursor: Cursor | null): PageList<Row> {
  return list.spans.at(-1)?.cursor === cursor ? toList(list.spans.slice(0, -1), list.first) : list;
}

/**
 * Puts pages that were read from the very beginning in place of those at the beginning: what is new is in them, and what
 * was there is in them once. Null where they do not reach as far as the first page did.
 */
export function replaceHead<Row extends Place>(list: PageList<Row>, pages: readonly ReadPage<Row>[], direction: Direction): PageList<Row> | null {
  const rows = pages.flatMap((page) => page.rows);
  const kept = list.spans.findIndex((span) => !reaches(rows, span, direction));
  if (kept === 0) return null;
  const replaced = kept < 0 ? list.spans.length : kept;
  const border = list.spans[replaced - 1];
  const cut = (page: ReadPage<Row>): ReadPage<Row> => (border === undefined ? page : { ...page, rows: upTo(page.rows, border, direction) });
  const head = pages.reduce<PageList<Row>>((sum, page) => appendPage(sum, cut(page)), NOTHING_READ);
  return toList([...head.spans, ...list.spans.slice(replaced)], list.first);
}

/** Whether rows read from a page's beginning go as far as that page did. */
export function reaches(rows: readonly Place[], { last }: Pick<PageSpan<unknown>, 'last'>, direction: Direction): boolean {
  const end = rows.at(-1);
  return end !== undefined && (compareInReading(end, last, direction) >= 0 || rows.some(({ id }) => id === last.id));
}

/** Pages whose rows are in memory, in the order of reading. */
export function heldPages<Row>({ spans, starts, inMemory }: PageList<Row>): readonly { readonly start: number; readonly page: HeldPage<Row> }[] {
  return inMemory.flatMap((at) => {
    const page = spans[at]?.held ?? null;
    return page === null ? [] : [{ start: starts[at] ?? 0, page }];
  });
}

/** Which page a row is in; -1 beyond both ends. */
export function findSpan({ starts, rowCount }: PageList<unknown>, row: number): number {
  if (row < 0 || row >= rowCount) return -1;
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function rowAt<Row>(list: PageList<Row>, row: number): Row | undefined {
  const at = findSpan(list, row);
  return list.spans[at]?.held?.rows[row - (list.starts[at] ?? 0)];
}

function firstOf(span: PageSpan<Place> | undefined): Place | null {
  const row = span?.held?.rows[0];
  return row === undefined ? null : toPlace(row);
}

/** The first page may be one that was dropped: then it still begins where it did. */
function toList<Row extends Place>(spans: readonly PageSpan<Row>[], first: Place | null): PageList<Row> {
  let rowCount = 0;
  const starts = spans.map(({ count }) => (rowCount += count) - count);
  const inMemory = [...spans.keys()].filter((at) => spans[at]?.held !== null);
  return { spans, starts, rowCount, first: firstOf(spans[0]) ?? first, inMemory };
}

function withoutRepeats<Row extends Place>(rows: readonly Row[], previous: PageSpan<Row> | undefined): readonly Row[] {
  const known = new Set<OrderId>(previous?.held?.rows.map(({ id }) => id) ?? borderIds(previous));
  const fresh = rows.filter(({ id }) => !known.has(id) && known.add(id));
  return fresh.length === rows.length ? rows : fresh;
}

function borderIds(span: PageSpan<unknown> | undefined): readonly OrderId[] {
  return span === undefined ? [] : [span.last.id, ...span.ties];
}

/** Of rows read from a page's cursor on those that are the page's: after the page before it, up to its own last. */
function toOwnRows<Row extends Place>(rows: readonly Row[], span: PageSpan<Row>, previous: PageSpan<Row> | undefined, direction: Direction): readonly Row[] {
  const own = withoutRepeats(upTo(rows, span, direction), previous);
  const firstAt = own.findIndex(({ id }) => id === span.firstId);
  // Before its first row stand what has come since, and, where its cursor is also that of the page before, that one's rows.
  return previous === undefined || firstAt <= 0 ? own : own.filter((row, at) => at >= firstAt || compareInReading(row, previous.last, direction) > 0);
}

function upTo<Row extends Place>(rows: readonly Row[], { last }: Pick<PageSpan<Row>, 'last'>, direction: Direction): readonly Row[] {
  const at = rows.findIndex(({ id }) => id === last.id);
  if (at >= 0) return at === rows.length - 1 ? rows : rows.slice(0, at + 1);
  return rows.filter((row) => compareInReading(row, last, direction) <= 0);
}
