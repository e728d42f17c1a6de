import type { Instant } from '#contract/exchange/instant.ts';
import type { Cursor, Page } from '#contract/exchange/paging.ts';
import type { ApiResponse } from '#model/response.ts';
import { toPageAfter, toPageEnd, type PageEnd } from '../pages.ts';
import { NO_ISSUES, type ValidationIssues } from './validation-issues.ts';
import { appendPage, dropRows, findSpan, EMPTY_LIST, refillPage, type PageList } from './page-list.ts';
import type { ReadPage } from './page-span.ts';
import { compareKeys, type Direction, type RowKey } from './row-key.ts';

/** The rows on screen. */
export interface Viewport {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Whether the next page is read when the viewport comes near the end. */
  readonly loadsMore: boolean;
  /** Whether dropped pages are read again; off while a filter shows only rows in memory. */
  readonly reloads: boolean;
}

/** Reads page after page until an instant is reached. */
interface Goal {
  readonly until: Instant;
  /** The request count when the goal was set. */
  readonly since: number;
}

interface ReadFailure {
  readonly error: Error;
  readonly at: number;
}

export interface WindowRules {
  readonly direction: Direction;
  /** The most pages whose rows are in memory. */
  readonly maxPages: number;
  /** How many rows before and after the viewport are read ahead of need. */
  readonly prefetchRows: number;
}

export interface WindowState<Row> extends ValidationIssues {
  readonly list: PageList<Row>;
  /** The cursor of the next page; null before the first read and at the end. */
  readonly next: Cursor | null;
  readonly end: PageEnd | null;
  /** Cursors that were sent but are of no page in the list. Together with those of its pages they are all cursors sent; a repeated one ends the list. */
  readonly discardedCursors: ReadonlySet<Cursor>;
  /** The cursor of the last page. Reading it again shows what was added after the end. */
  readonly lastCursor: Cursor | null;
  readonly viewport: Viewport;
  readonly goal: Goal | null;
  /** Newer rows were requested and are not in the list yet. */
  readonly wantsNewer: boolean;
  readonly failure: ReadFailure | null;
  readonly requests: number;
}

export const INITIAL_STATE: WindowState<never> = {
  ...{
    list: EMPTY_LIST,
    next: null,
    end: null,
    discardedCursors: new Set(),
    lastCursor: null,
    goal: null,
    wantsNewer: false,
    failure: null,
  },
  ...{ viewport: { from: 0, to: 0, loadsMore: true, reloads: true }, requests: 0, ...NO_ISSUES },
};

/** The read to start: newer rows, the page after the last, or a page whose rows were dropped. */
export type NextRead =
  | { readonly kind: 'newer' }
  | { readonly kind: 'more'; readonly cursor: Cursor | null }
  | { readonly kind: 'reload'; readonly index: number };

/** Explicit requests come first, then the viewport, the next page, and the rows around the viewport. */
export function toNextRead<Row>(state: WindowState<Row>, { prefetchRows }: WindowRules): NextRead | null {
  const { viewport, list } = state;
  if (state.wantsNewer) return { kind: 'newer' };
  const more = needsMore(state, prefetchRows);
  const missing = viewport.reloads
    ? (findDropped(list, viewport.from, viewport.to) ??
      (more ? null : findDropped(list, viewport.from - prefetchRows, viewport.to + prefetchRows)))
    : null;
  if (missing !== null) return { kind: 'reload', index: missing };
  return more ? { kind: 'more', cursor: state.next } : null;
}

/** If every row fails validation, further pages will too, and requests are scarce. */
const MAX_REJECTED = 1_000;

/** Every row so far failed validation, and there were so many that reading has stopped. */
export function hasGivenUp<Row>({ list, setAside }: Pick<WindowState<Row>, 'list' | 'setAside'>): boolean {
  return list.rowCount === 0 && setAside.size >= MAX_REJECTED;
}

function needsMore<Row>(state: WindowState<Row>, prefetchRows: number): boolean {
  const { end, viewport, goal, list } = state;
  if (end !== null || hasGivenUp(state)) return false;
  return list.rowCount === 0 || goal !== null || (viewport.loadsMore && viewport.to + prefetchRows >= list.rowCount);
}

function findDropped(list: PageList<unknown>, from: number, to: number): number | null {
  if (list.rowCount === 0) return null;
  const first = findSpan(list, Math.min(Math.max(from, 0), list.rowCount - 1));
  const last = findSpan(list, Math.min(Math.max(to - 1, 0), list.rowCount - 1));
  for (let index = first; index <= last; index++) if (list.spans[index]?.loaded === null) return index;
  return null;
}

export type PageResponse<Row> = ApiResponse<Page<Row>>;

export function toReadPage<Row>(cursor: Cursor | null, { value, ...source }: PageResponse<Row>): ReadPage<Row> {
  const { endpoint, target, answeredAt, receivedAt, ageSeconds, cache, requestId } = source;
  return {
    cursor,
    rows: value.data,
    source: { endpoint, target, answeredAt, receivedAt, ageSeconds, cache, requestId },
  };
}

/** Appends the page after the last. */
export function afterMore<Row extends RowKey>(
  state: WindowState<Row>,
  cursor: Cursor | null,
  response: PageResponse<Row>,
  rules: WindowRules,
): WindowState<Row> {
  const list = appendPage(state.list, toReadPage(cursor, response));
  const discardedCursors =
    cursor === null || list !== state.list ? state.discardedCursors : new Set(state.discardedCursors).add(cursor);
  const known = findSentCursor({ list, discardedCursors }, response.value.pagination.cursor);
  const next = toPageAfter(response, known);
  return evictPages(
    {
      ...state,
      ...{ list, discardedCursors, next, end: toPageEnd(response, known), lastCursor: cursor },
      goal: isReached(state.goal, list, rules.direction) || next === null ? null : state.goal,
    },
    rules,
  );
}

export function afterReload<Row extends RowKey>(
  state: WindowState<Row>,
  index: number,
  page: ReadPage<Row>,
  rules: WindowRules,
): WindowState<Row> {
  const list = refillPage(state.list, index, page, rules.direction);
  return evictPages(list.spans.length === state.list.spans.length ? { ...state, list } : withList(state, list), rules);
}

/** Replaces the list; the cursors of pages that it no longer has still count as sent. */
export function withList<Row>(state: WindowState<Row>, list: PageList<Row>): WindowState<Row> {
  const remaining = cursorsOf(list);
  const removed = [...cursorsOf(state.list)].filter((cursor) => !remaining.has(cursor));
  return {
    ...state,
    list,
    discardedCursors: removed.length === 0 ? state.discardedCursors : new Set([...state.discardedCursors, ...removed]),
  };
}

function cursorsOf({ spans }: PageList<unknown>): ReadonlySet<Cursor> {
  return new Set(spans.flatMap(({ cursor }) => cursor ?? []));
}

/** The cursor itself if it was sent before: enough to detect a repeat, without a list of thousands. */
function findSentCursor(
  { list, discardedCursors }: Pick<WindowState<unknown>, 'list' | 'discardedCursors'>,
  cursor: Cursor | null | undefined,
): readonly Cursor[] {
  if (cursor === null || cursor === undefined) return [];
  return discardedCursors.has(cursor) || list.spans.some((span) => span.cursor === cursor) ? [cursor] : [];
}

/** Sets or clears the goal; one that is already reached is not set. */
export function withGoal<Row>(
  state: WindowState<Row>,
  until: Instant | null,
  { direction }: WindowRules,
): WindowState<Row> {
  const goal = until === null ? null : { until, since: state.requests };
  return { ...state, goal: state.end !== null || isReached(goal, state.list, direction) ? null : goal };
}

/** Whether a page would be read again at once if it were dropped. */
export function isNear<Row>(
  { list, viewport }: WindowState<Row>,
  index: number,
  { prefetchRows }: WindowRules,
): boolean {
  const start = list.starts[index] ?? 0;
  return (
    viewport.reloads &&
    start < viewport.to + prefetchRows &&
    start + (list.spans[index]?.count ?? 0) > viewport.from - prefetchRows
  );
}

function isReached(goal: Goal | null, { spans }: PageList<unknown>, direction: Direction): boolean {
  const last = spans.at(-1)?.last;
  return goal !== null && last !== undefined && compareKeys({ ...last, time: goal.until }, last, direction) < 0;
}

/** Drops the rows of the pages farthest from the viewport while too many are in memory. */
export function evictPages<Row>(state: WindowState<Row>, rules: WindowRules): WindowState<Row> {
  const { maxPages, direction } = rules;
  const { list, viewport } = state;
  if (list.inMemory.length <= maxPages) return state;
  const distance = (index: number): number => {
    const start = list.starts[index] ?? 0;
    const end = start + (list.spans[index]?.count ?? 0);
    return Math.max(0, start - viewport.to, viewport.from - end);
  };
  // Newest first, the first page cannot be read again: its request returns newer rows instead. The last page is needed
  // to recognise repeats in the page after it.
  const mayGrow = state.end === null || direction === 'asc';
  const pinned = (index: number): boolean =>
    (direction === 'desc' && index === 0) ||
    (mayGrow && index === list.spans.length - 1) ||
    isNear(state, index, rules);
  const farthest = list.inMemory.filter((index) => !pinned(index)).sort((a, b) => distance(b) - distance(a));
  return { ...state, list: dropRows(list, new Set(farthest.slice(0, list.inMemory.length - maxPages))) };
}
