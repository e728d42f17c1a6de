import type { Cursor } from '#contract/exchange/paging.ts';
import { toPageAfter } from '../pages.ts';
import { reaches, replaceHead, withoutLast, type PageList } from './page-list.ts';
import type { PageSpan, ReadPage } from './page-span.ts';
import { compareKeys, type Direction, type RowKey } from './row-key.ts';
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
  /** The count is a lower bound: all rows of the page are new, and another page follows. */
  readonly isLeast: boolean;
  /** Rows of the newest page whose fields have changed since. */
  readonly changed: number;
  /** Epoch milliseconds of the last successful check; null: not checked yet, or the check failed. */
  readonly checkedAt: number | null;
  /** Why the last check failed. */
  readonly error: Error | null;
}

export const NOT_CHECKED: NewerRows = { count: 0, isLeast: false, changed: 0, checkedAt: null, error: null };

/** The cursor that newer rows would be on: of the first page, or of the last. Null where an older page may follow the last. */
export function toNewestCursor<Row>(
  { end, lastCursor }: WindowState<Row>,
  direction: Direction,
): { readonly cursor: Cursor | null } | null {
  if (direction === 'desc') return { cursor: null };
  return end === null ? null : { cursor: lastCursor };
}

/** The page that newer rows would be on or after. */
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

/** Newer than the page at the edge, or inserted into it late. */
function isBeyond<Row extends RowKey>(row: Row, { last, loaded }: PageSpan<Row>, direction: Direction): boolean {
  if (loaded === null) return false;
  const [first = last] = loaded.rows;
  return direction === 'desc' ? compareKeys(row, last, direction) < 0 : compareKeys(row, first, direction) > 0;
}

/** The last page, read again, replaces itself: with its changes and the rows that follow it now. */
export function afterLastPage<Row extends RowKey>(
  state: WindowState<Row>,
  response: PageResponse<Row>,
  rules: WindowRules,
): WindowState<Row> {
  return afterMore({ ...state, list: withoutLast(state.list, state.lastCursor) }, state.lastCursor, response, rules);
}

/** With more pages of newer rows than this, the list starts over. */
const MAX_NEW_PAGES = 10;

/** Reads from the first page until it meets the list; resolves with how the new pages are put before it. */
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
