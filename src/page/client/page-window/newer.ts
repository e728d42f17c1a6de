import type { Cursor } from '#contract/exchange/paging.ts';
import { toPageAfter } from '../pages.ts';
import {
  compareKeys,
  type Direction,
  type PageList,
  type PageSpan,
  reaches,
  type ReadPage,
  replaceHead,
  type RowKey,
  withoutLast,
} from './page-list.ts';
import {
  afterMore,
  toReadPage,
  withList,
  type PageResponse,
  type WindowRules,
  type WindowState,
} from './window-state.ts';

/** Rows that are newer than the list, and rows that changed since they were read. */
export interface NewerRows {
  readonly count: number;
  /** The count is a lower bound: every row of the page is new, and another page follows. */
  readonly isLeast: boolean;
  /** The number of rows of the newest page whose fields have changed since. */
  readonly changed: number;
  /** When the last check succeeded, in epoch milliseconds; null if there was none yet, or the last one failed. */
  readonly checkedAt: number | null;
  /** Why the last check failed. */
  readonly error: Error | null;
}

export const NOT_CHECKED: NewerRows = { count: 0, isLeast: false, changed: 0, checkedAt: null, error: null };

/**
 * Returns the cursor of the page that would hold newer rows: the first page or, in an ascending list, the last. Null
 * while the end of an ascending list has not been reached.
 */
export function toNewestCursor<Row>(
  { end, lastCursor }: WindowState<Row>,
  direction: Direction,
): { readonly cursor: Cursor | null } | null {
  if (direction === 'desc') return { cursor: null };
  return end === null ? null : { cursor: lastCursor };
}

/** Returns the page that newer rows would be on or after. */
export function findNewest<Row>({ spans }: PageList<Row>, direction: Direction): PageSpan<Row> | undefined {
  return direction === 'desc' ? spans[0] : spans.at(-1);
}

/** Compares the newest page, read again, with the list. */
export function countNewer<Row extends RowKey>(
  { list }: WindowState<Row>,
  response: PageResponse<Row>,
  direction: Direction,
  checkedAt: number,
): NewerRows {
  const { data } = response.value;
  const border = findNewest(list, direction);
  const known = new Map(border?.loaded?.rows.map((row) => [row.id, row]));
  const unknown =
    border === undefined ? data : data.filter((row) => !known.has(row.id) && isBeyond(row, border, direction));
  const isLeast = unknown.length > 0 && unknown.length === data.length && toPageAfter(response, []) !== null;
  const changed = data.filter((row) => hasChanged(row, known.get(row.id)));
  return { count: unknown.length, isLeast, changed: changed.length, checkedAt, error: null };
}

function hasChanged<Row extends RowKey>(row: Row, known: Row | undefined): boolean {
  return known !== undefined && (Object.keys(row) as (keyof Row)[]).some((field) => row[field] !== known[field]);
}

/** Returns whether a row is newer than the page at the edge, or was inserted into it late. */
function isBeyond<Row extends RowKey>(row: Row, { last, loaded }: PageSpan<Row>, direction: Direction): boolean {
  if (loaded === null) return false;
  const [first = last] = loaded.rows;
  return direction === 'desc' ? compareKeys(row, last, direction) < 0 : compareKeys(row, first, direction) > 0;
}

/** Replaces the last page with a new reading of it, which includes its changes and any rows added after it. */
export function afterLastPage<Row extends RowKey>(
  state: WindowState<Row>,
  response: PageResponse<Row>,
  rules: WindowRules,
): WindowState<Row> {
  return afterMore({ ...state, list: withoutLast(state.list, state.lastCursor) }, state.lastCursor, response, rules);
}

/** With more pages of newer rows than this, the list starts over. */
const MAX_NEW_PAGES = 10;

/**
 * Reads from the first page until it reaches the known list. Resolves with a function that puts the new pages in front.
 */
export async function readNewHead<Row extends RowKey>(
  { list: known }: WindowState<Row>,
  fetchPage: (cursor: Cursor | null, previous: PageSpan<Row> | undefined) => Promise<PageResponse<Row>>,
  rules: WindowRules,
  empty: WindowState<Row>,
): Promise<(state: WindowState<Row>) => WindowState<Row>> {
  const read: ReadPage<Row>[] = [];
  const [head] = known.spans;
  let restarted: WindowState<Row> = empty;
  for (let cursor: Cursor | null = null; ; cursor = restarted.next) {
    const response = await fetchPage(cursor, restarted.list.spans.at(-1));
    read.push(toReadPage(cursor, response));
    restarted = afterMore(restarted, cursor, response, rules);
    if (
      restarted.next === null ||
      head === undefined ||
      read.length === MAX_NEW_PAGES ||
      reaches(response.value.data, head, rules.direction)
    )
      break;
  }
  return (state) => putHead(state, read, restarted, rules);
}

function putHead<Row extends RowKey>(
  state: WindowState<Row>,
  read: readonly ReadPage<Row>[],
  restarted: WindowState<Row>,
  rules: WindowRules,
): WindowState<Row> {
  const list = state.list.rowCount === 0 ? null : replaceHead(state.list, read, rules.direction);
  if (list !== null)
    return withList(
      { ...state, discardedCursors: new Set([...state.discardedCursors, ...restarted.discardedCursors]) },
      list,
    );
  const { next, end, discardedCursors, lastCursor } = restarted;
  return { ...state, list: restarted.list, next, end, discardedCursors, lastCursor };
}
