import type { CountedDeviation } from '#contract/parse/parse.ts';
import type { ApiResponse } from '#model/response.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { countOf } from '#model/format/count.ts';
import type { Cursor, Page } from '#contract/exchange/paging.ts';
import { type PageEnd, toPageAfter, toPageEnd } from '../pages.ts';
import {
  appendPage,
  compareKeys,
  type Direction,
  dropRows,
  EMPTY_LIST,
  findSpan,
  type PageList,
  type ReadPage,
  refillPage,
  type RowKey,
} from './page-list.ts';

/** The deviations of responses from the interface. */
interface ValidationIssues {
  /** Identities of the rows that failed validation. */
  readonly setAside: ReadonlySet<string>;
  readonly deviations: readonly CountedDeviation[];
}

const NO_ISSUES: ValidationIssues = { setAside: new Set(), deviations: [] };

/** Adds the deviations of a response. A row that appears again is counted once. */
export function withIssues(
  { setAside: known, deviations: knownDeviations }: ValidationIssues,
  { setAside, deviations }: Pick<ApiResponse<unknown>, 'setAside' | 'deviations'>,
): ValidationIssues {
  return {
    setAside: setAside.length === 0 ? known : new Set([...known, ...setAside.map(({ row }) => toIdentity(row))]),
    deviations: deviations.length === 0 ? knownDeviations : deviations,
  };
}

/** Identifies a row by its id if it has one, otherwise by its content. */
function toIdentity(row: unknown): string {
  const { id = null } = typeof row === 'object' && row !== null && 'id' in row ? row : {};
  return JSON.stringify(id ?? row);
}

/** The rows on screen. */
export interface Viewport {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Whether to read the next page when the viewport comes near the end. */
  readonly loadsMore: boolean;
  /** Whether to read dropped pages again; off while a filter shows only rows in memory. */
  readonly reloads: boolean;
}

/** An instant to reach by reading page after page. */
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
  /** The largest number of pages whose rows are kept in memory. */
  readonly maxPages: number;
  /** How many rows around the viewport are read ahead. */
  readonly prefetchRows: number;
}

export interface WindowState<Row> extends ValidationIssues {
  readonly list: PageList<Row>;
  /** The cursor of the next page; null before the first read and at the end. */
  readonly next: Cursor | null;
  readonly end: PageEnd | null;
  /**
   * Cursors that were sent but belong to no page in the list. With the cursors of its pages, they make up all cursors
   * sent; a repeated one ends the list.
   */
  readonly discardedCursors: ReadonlySet<Cursor>;
  /** The cursor of the last page. Reading it again shows rows that were added since. */
  readonly lastCursor: Cursor | null;
  readonly viewport: Viewport;
  readonly goal: Goal | null;
  /** Newer rows were requested but are not in the list yet. */
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

/** The next read: newer rows, the page after the last, or a page whose rows were dropped. */
export type NextRead =
  | { readonly kind: 'newer' }
  | { readonly kind: 'more'; readonly cursor: Cursor | null }
  | { readonly kind: 'reload'; readonly index: number };

/**
 * Chooses the next read. Explicit requests come first, then the viewport, the next page, and the rows around the
 * viewport.
 */
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

/** If every row fails validation, later pages will fail too, and requests are scarce. */
const MAX_REJECTED = 1_000;

/** Returns whether reading has stopped because so many rows were read and all of them failed validation. */
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
  const { endpoint, target, respondedAt, receivedAt, ageSeconds, cache, requestId } = source;
  return {
    cursor,
    rows: value.data,
    source: { endpoint, target, respondedAt, receivedAt, ageSeconds, cache, requestId },
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
      ...withIssues(state, { setAside: [], deviations: findNoProgress(state.list, response.value.data, rules) }),
      ...{ list, discardedCursors, next, end: toPageEnd(response, known), lastCursor: cursor },
      goal: isReached(state.goal, list, rules.direction) || next === null ? null : state.goal,
    },
    rules,
  );
}

/** Reports a page that leads no further than the list, so that the page in its place may be missing. */
function findNoProgress(
  { spans }: PageList<unknown>,
  rows: readonly RowKey[],
  { direction }: WindowRules,
): readonly CountedDeviation[] {
  const [end, first, last] = [spans.at(-1)?.last, rows[0], rows.at(-1)];
  if (end === undefined || first === undefined || last === undefined) return [];
  // A page may begin with the last rows again, or with others that arrived meanwhile.
  const isBack = compareInstants(first.time, end.time) * (direction === 'asc' ? 1 : -1) < 0;
  if (!isBack || compareKeys(last, end, direction) > 0) return [];
  const place = '$.data';
  const expected = `rows that follow ${end.time}`;
  return [
    { kind: 'out of order', path: place, place, count: 1, expected, found: `${countOf(rows.length, 'row')} up to it` },
  ];
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

/** Replaces the list. The cursors of removed pages still count as sent. */
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

/**
 * Returns the cursor itself if it was sent before. That is enough to detect a repeat, without building a list of
 * thousands.
 */
function findSentCursor(
  { list, discardedCursors }: Pick<WindowState<unknown>, 'list' | 'discardedCursors'>,
  cursor: Cursor | null | undefined,
): readonly Cursor[] {
  if (cursor === null || cursor === undefined) return [];
  return discardedCursors.has(cursor) || list.spans.some((span) => span.cursor === cursor) ? [cursor] : [];
}

/** Sets or clears the goal. A goal already reached is not set. */
export function withGoal<Row>(
  state: WindowState<Row>,
  until: Instant | null,
  { direction }: WindowRules,
): WindowState<Row> {
  const goal = until === null ? null : { until, since: state.requests };
  return { ...state, goal: state.end !== null || isReached(goal, state.list, direction) ? null : goal };
}

/** Returns whether a dropped page would be read again at once. */
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
  // In a list with the newest row first, the first page cannot be read again: its request would return newer rows. The
  // last page is needed to recognise repeats in the page after it.
  const mayGrow = state.end === null || direction === 'asc';
  const pinned = (index: number): boolean =>
    (direction === 'desc' && index === 0) ||
    (mayGrow && index === list.spans.length - 1) ||
    isNear(state, index, rules);
  const farthest = list.inMemory.filter((index) => !pinned(index)).sort((a, b) => distance(b) - distance(a));
  return { ...state, list: dropRows(list, new Set(farthest.slice(0, list.inMemory.length - maxPages))) };
}
