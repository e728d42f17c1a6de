import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { Source } from '#model/response.ts';

/** Sorts and identifies a row: by time to the nanosecond, then by id as an integer. */
export interface RowKey {
  readonly time: Instant;
  readonly id: OrderId;
}

export type Direction = 'asc' | 'desc';

/** Returns a negative number if `a` comes before `b` in the list. */
export function compareKeys(a: RowKey, b: RowKey, direction: Direction): number {
  const order = compareInstants(a.time, b.time) || compareOrderIds(a.id, b.id);
  return direction === 'asc' ? order : -order;
}

function toRowKey({ time, id }: RowKey): RowKey {
  return { time, id };
}

/** The rows of a page in memory, and the response they came in. */
export interface LoadedPage<Row> {
  readonly rows: readonly Row[];
  readonly source: Source;
}

/** A page of the list. After its rows are dropped, it keeps enough to read the same rows again. */
export interface PageSpan<Row> {
  /** Null for the first page. */
  readonly cursor: Cursor | null;
  readonly count: number;
  readonly firstId: OrderId;
  readonly last: RowKey;
  /** The ids of rows with the same time as the last one: the next page may repeat them. */
  readonly ties: readonly OrderId[];
  /** Null: dropped. */
  readonly loaded: LoadedPage<Row> | null;
}

export interface ReadPage<Row> extends LoadedPage<Row> {
  readonly cursor: Cursor | null;
}

const NO_TIES: readonly OrderId[] = [];

/** Returns null for a page without rows. */
function toSpan<Row extends RowKey>({ cursor, source }: ReadPage<Row>, rows: readonly Row[]): PageSpan<Row> | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ties = rows
    .filter(({ time, id }) => compareInstants(time, last.time) === 0 && id !== last.id)
    .map(({ id }) => id);
  const edges = { firstId: first.id, last: toRowKey(last), ties: ties.length === 0 ? NO_TIES : ties };
  return { cursor, count: rows.length, ...edges, loaded: { rows, source } };
}

/** Returns the page without its rows. */
function withoutRows<Row>(span: PageSpan<Row>): PageSpan<Row> {
  return span.loaded === null ? span : new DroppedPage(span);
}

/** A long list has thousands of these, and one joined text takes half the memory of separate fields. */
class DroppedPage implements PageSpan<never> {
  readonly count: number;
  readonly loaded = null;
  readonly #parts: string;

  constructor({ cursor, count, firstId, last, ties }: PageSpan<unknown>) {
    this.count = count;
    this.#parts = [cursor ?? '', firstId, last.time, last.id, ...ties].join('\n');
  }

  get cursor(): Cursor | null {
    const text = this.#parts.slice(0, this.#parts.indexOf('\n'));
    return text === '' ? null : (text as Cursor);
  }

  get firstId(): OrderId {
    const [, firstId] = this.#split();
    return firstId as OrderId;
  }

  get last(): RowKey {
    const [, , time, id] = this.#split();
    return { time: time as Instant, id: id as OrderId };
  }

  get ties(): readonly OrderId[] {
    const [, , , , ...ties] = this.#split();
    return ties.map((id) => id as OrderId);
  }

  #split(): readonly string[] {
    return this.#parts.split('\n');
  }
}

/** All pages read so far, from one end and without gaps. */
export interface PageList<Row> {
  readonly spans: readonly PageSpan<Row>[];
  /** The list index of each page's first row. */
  readonly starts: readonly number[];
  readonly rowCount: number;
  readonly first: RowKey | null;
  /** The indexes of the pages whose rows are in memory, in order. */
  readonly inMemory: readonly number[];
}

export const EMPTY_LIST: PageList<never> = { spans: [], starts: [], rowCount: 0, first: null, inMemory: [] };

/** Appends a page, omitting rows that the page before it already has. */
export function appendPage<Row extends RowKey>(list: PageList<Row>, page: ReadPage<Row>): PageList<Row> {
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

/** Restores the rows of a dropped page, including rows that were inserted into its range since. */
export function refillPage<Row extends RowKey>(
  list: PageList<Row>,
  index: number,
  page: ReadPage<Row>,
  direction: Direction,
): PageList<Row> {
  const span = list.spans[index];
  if (span === undefined) return list;
  const own = toOwnRows(page.rows, span, list.spans[index - 1], direction);
  const filled = toSpan({ ...page, cursor: span.cursor }, own);
  if (filled === null)
    return toList(
      list.spans.filter((_, at) => at !== index),
      list.first,
    );
  const spans = list.spans.with(index, filled);
  if (filled.count !== span.count) return toList(spans, list.first);
  return { ...list, spans, inMemory: [...list.inMemory.filter((at) => at !== index), index].sort((a, b) => a - b) };
}

/** Drops the rows of some pages. The pages themselves stay. */
export function dropRows<Row>(list: PageList<Row>, indexes: ReadonlySet<number>): PageList<Row> {
  if (indexes.size === 0) return list;
  const spans = [...list.spans];
  for (const at of indexes) {
    const span = spans[at];
    if (span !== undefined) spans[at] = withoutRows(span);
  }
  return { ...list, spans, inMemory: list.inMemory.filter((at) => !indexes.has(at)) };
}

/** Removes the last page if it belongs to this cursor. */
export function withoutLast<Row extends RowKey>(list: PageList<Row>, cursor: Cursor | null): PageList<Row> {
  return list.spans.at(-1)?.cursor === cursor ? toList(list.spans.slice(0, -1), list.first) : list;
}

/**
 * Replaces the first pages with newly read ones: new rows are added, and known rows appear once. Returns null if the
 * new pages do not reach the end of the first page.
 */
export function replaceHead<Row extends RowKey>(
  list: PageList<Row>,
  pages: readonly ReadPage<Row>[],
  direction: Direction,
): PageList<Row> | null {
  const rows = pages.flatMap((page) => page.rows);
  const firstKept = list.spans.findIndex((span) => !reaches(rows, span, direction));
  if (firstKept === 0) return null;
  const replaced = firstKept < 0 ? list.spans.length : firstKept;
  const border = list.spans[replaced - 1];
  const cut = (page: ReadPage<Row>): ReadPage<Row> =>
    border === undefined ? page : { ...page, rows: upTo(page.rows, border, direction) };
  const head = pages.reduce<PageList<Row>>((sum, page) => appendPage(sum, cut(page)), EMPTY_LIST);
  return toList([...head.spans, ...list.spans.slice(replaced)], list.first);
}

/** Returns whether rows read from a page's start reach its end. */
export function reaches(
  rows: readonly RowKey[],
  { last }: Pick<PageSpan<unknown>, 'last'>,
  direction: Direction,
): boolean {
  const end = rows.at(-1);
  return end !== undefined && (compareKeys(end, last, direction) >= 0 || rows.some(({ id }) => id === last.id));
}

/** Returns the pages whose rows are in memory, in list order. */
export function loadedPages<Row>({
  spans,
  starts,
  inMemory,
}: PageList<Row>): readonly { readonly start: number; readonly page: LoadedPage<Row> }[] {
  return inMemory.flatMap((at) => {
    const page = spans[at]?.loaded ?? null;
    return page === null ? [] : [{ start: starts[at] ?? 0, page }];
  });
}

/** Returns the index of the page that holds a row; -1 outside the list. */
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
  return list.spans[at]?.loaded?.rows[row - (list.starts[at] ?? 0)];
}

function firstOf(span: PageSpan<RowKey> | undefined): RowKey | null {
  const row = span?.loaded?.rows[0];
  return row === undefined ? null : toRowKey(row);
}

/** A dropped first page still begins where it did. */
function toList<Row extends RowKey>(spans: readonly PageSpan<Row>[], first: RowKey | null): PageList<Row> {
  let rowCount = 0;
  const starts = spans.map(({ count }) => (rowCount += count) - count);
  const inMemory = [...spans.keys()].filter((at) => spans[at]?.loaded !== null);
  return { spans, starts, rowCount, first: firstOf(spans[0]) ?? first, inMemory };
}

/** Omits rows that the page before already has. */
export function withoutRepeats<Row extends RowKey>(
  rows: readonly Row[],
  previous: PageSpan<Row> | undefined,
): readonly Row[] {
  const known = new Set<OrderId>(previous?.loaded?.rows.map(({ id }) => id) ?? borderIds(previous));
  const fresh = rows.filter(({ id }) => !known.has(id) && known.add(id));
  return fresh.length === rows.length ? rows : fresh;
}

function borderIds(span: PageSpan<unknown> | undefined): readonly OrderId[] {
  return span === undefined ? [] : [span.last.id, ...span.ties];
}

/** Selects the page's own rows among those read from its cursor: after the previous page, up to its own last row. */
function toOwnRows<Row extends RowKey>(
  rows: readonly Row[],
  span: PageSpan<Row>,
  previous: PageSpan<Row> | undefined,
  direction: Direction,
): readonly Row[] {
  const own = withoutRepeats(upTo(rows, span, direction), previous);
  const firstAt = own.findIndex(({ id }) => id === span.firstId);
  // Rows before the page's first were inserted late or, if both pages have the same cursor, belong to the previous
  // page.
  return previous === undefined || firstAt <= 0
    ? own
    : own.filter((row, at) => at >= firstAt || compareKeys(row, previous.last, direction) > 0);
}

function upTo<Row extends RowKey>(
  rows: readonly Row[],
  { last }: Pick<PageSpan<Row>, 'last'>,
  direction: Direction,
): readonly Row[] {
  const at = rows.findIndex(({ id }) => id === last.id);
  if (at >= 0) return at === rows.length - 1 ? rows : rows.slice(0, at + 1);
  return rows.filter((row) => compareKeys(row, last, direction) <= 0);
}
