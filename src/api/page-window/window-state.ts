import type { Instant } from '#contract/instant.ts';
import type { Cursor, Page } from '#contract/paging.ts';
import type { Answer } from '../answer.ts';
import { toPageAfter, toPageEnd, type PageEnd } from '../pages.ts';
import { NO_DOUBTS, type Doubts } from './doubts.ts';
import { appendPage, dropRows, findSpan, NOTHING_READ, refillPage, type PageList } from './page-list.ts';
import type { ReadPage } from './page-span.ts';
import { compareInReading, type Direction, type Place } from './place.ts';

/** Which rows somebody looks at. */
export interface Look {
  readonly from: number;
  /** The first one behind them. */
  readonly to: number;
  /** Whether coming near the end is reason enough to read on. */
  readonly readsOn: boolean;
  /** Whether those that were dropped are to be read again: not where somebody looks only at some of those in memory. */
  readonly rereads: boolean;
}

/** Reading on by itself until a moment is reached. */
interface Goal {
  readonly until: Instant;
  /** Requests that there were when it was set. */
  readonly since: number;
}

interface Trouble {
  readonly error: Error;
  readonly at: number;
}

export interface WindowRules {
  readonly direction: Direction;
  /** Pages whose rows are in memory at a time. */
  readonly mostPages: number;
  /** Rows before and behind those looked at that are read ahead. */
  readonly ahead: number;
}

export interface WindowState<Row> extends Doubts {
  readonly list: PageList<Row>;
  /** Where to read on; null where nothing was read yet, or at the end. */
  readonly next: Cursor | null;
  readonly end: PageEnd | null;
  /** Cursors that were sent and lead to no page of the list: with those of its pages, all. One that comes again is the end. */
  readonly sentInVain: ReadonlySet<Cursor>;
  /** What the last page was asked for with: what comes after the end is told by it again. */
  readonly tail: Cursor | null;
  readonly look: Look;
  readonly goal: Goal | null;
  /** Somebody wants what is newer, and it is not in the list yet. */
  readonly wantsNewer: boolean;
  readonly trouble: Trouble | null;
  readonly requests: number;
}

export const NOTHING_ASKED: WindowState<never> = {
  ...{ list: NOTHING_READ, next: null, end: null, sentInVain: new Set(), tail: null, goal: null, wantsNewer: false, trouble: null },
  ...{ look: { from: 0, to: 0, readsOn: true, rereads: true }, requests: 0, ...NO_DOUBTS },
};

/** What to ask for: what is newer, the page behind the last, or one whose rows were dropped. */
export type Wanted = { readonly kind: 'newer' } | { readonly kind: 'more'; readonly cursor: Cursor | null } | { readonly kind: 'again'; readonly index: number };

/** What somebody asked for by name comes first, then what is looked at, what is behind the end, and what may be looked at next. */
export function toWanted<Row>(state: WindowState<Row>, { ahead }: WindowRules): Wanted | null {
  const { look, list } = state;
  if (state.wantsNewer) return { kind: 'newer' };
  const more = readsOn(state, ahead);
  const missing = look.rereads ? (findDropped(list, look.from, look.to) ?? (more ? null : findDropped(list, look.from - ahead, look.to + ahead))) : null;
  if (missing !== null) return { kind: 'again', index: missing };
  return more ? { kind: 'more', cursor: state.next } : null;
}

/** Where all that comes is of another form than it should be, more of it is the same, and requests are scarce. */
const MOST_IN_VAIN = 1_000;

/** Nothing came yet but rows that are not to be believed, and so many that no more are asked for. */
export function isGivenUp<Row>({ list, setAside }: Pick<WindowState<Row>, 'list' | 'setAside'>): boolean {
  return list.rowCount === 0 && setAside.size >= MOST_IN_VAIN;
}

function readsOn<Row>(state: WindowState<Row>, ahead: number): boolean {
  const { end, look, goal, list } = state;
  if (end !== null || isGivenUp(state)) return false;
  return list.rowCount === 0 || goal !== null || (look.readsOn && look.to + ahead >= list.rowCount);
}

function findDropped(list: PageList<unknown>, from: number, to: number): number | null {
  if (list.rowCount === 0) return null;
  const first = findSpan(list, Math.min(Math.max(from, 0), list.rowCount - 1));
  const last = findSpan(list, Math.min(Math.max(to - 1, 0), list.rowCount - 1));
  for (let index = first; index <= last; index++) if (list.spans[index]?.held === null) return index;
  return null;
}

/** A page as it came. */
export type PageAnswer<Row> = Answer<Page<Row>>;

export function toReadPage<Row>(cursor: Cursor | null, { value, ...source }: PageAnswer<Row>): ReadPage<Row> {
  const { endpoint, target, answeredAt, receivedAt, ageSeconds, cache, requestId } = source;
  return { cursor, rows: value.data, source: { endpoint, target, answeredAt, receivedAt, ageSeconds, cache, requestId } };
}

/** The page behind the last has come. */
export function afterMore<Row extends Place>(state: WindowState<Row>, cursor: Cursor | null, answer: PageAnswer<Row>, rules: WindowRules): WindowState<Row> {
  const list = appendPage(state.list, toReadPage(cursor, answer));
  const sentInVain = cursor === null || list !== state.list ? state.sentInVain : new Set(state.sentInVain).add(cursor);
  const known = alreadySent({ list, sentInVain }, answer.value.pagination.cursor);
  const next = toPageAfter(answer, known);
  return keepBounds({
    ...state,
    ...{ list, sentInVain, next, end: toPageEnd(answer, known), tail: cursor },
    goal: isReached(state.goal, list, rules.direction) || next === null ? null : state.goal,
  }, rules);
}

export function afterAgain<Row extends Place>(state: WindowState<Row>, index: number, page: ReadPage<Row>, rules: WindowRules): WindowState<Row> {
  const list = refillPage(state.list, index, page, rules.direction);
  return keepBounds(list.spans.length === state.list.spans.length ? { ...state, list } : withList(state, list), rules);
}

/** Puts another list in place: the cursors of pages that it does not have any more were sent all the same. */
export function withList<Row>(state: WindowState<Row>, list: PageList<Row>): WindowState<Row> {
  const left = cursorsOf(list);
  const gone = [...cursorsOf(state.list)].filter((cursor) => !left.has(cursor));
  return { ...state, list, sentInVain: gone.length === 0 ? state.sentInVain : new Set([...state.sentInVain, ...gone]) };
}

function cursorsOf({ spans }: PageList<unknown>): ReadonlySet<Cursor> {
  return new Set(spans.flatMap(({ cursor }) => cursor ?? []));
}

/** Only as many cursors as can matter: a list may have thousands. */
function alreadySent(
  { list, sentInVain }: Pick<WindowState<unknown>, 'list' | 'sentInVain'>,
  cursor: Cursor | null | undefined,
): readonly Cursor[] {
  if (cursor === null || cursor === undefined) return [];
  return sentInVain.has(cursor) || list.spans.some((span) => span.cursor === cursor) ? [cursor] : [];
}

/** Sets or ends the reading on; what was read that far already needs no reading. */
export function withGoal<Row>(state: WindowState<Row>, until: Instant | null, { direction }: WindowRules): WindowState<Row> {
  const goal = until === null ? null : { until, since: state.requests };
  return { ...state, goal: state.end !== null || isReached(goal, state.list, direction) ? null : goal };
}

/** Whether a page would be read again if it were dropped. */
export function isNear<Row>({ list, look }: WindowState<Row>, index: number, { ahead }: WindowRules): boolean {
  const start = list.starts[index] ?? 0;
  return look.rereads && start < look.to + ahead && start + (list.spans[index]?.count ?? 0) > look.from - ahead;
}

function isReached(goal: Goal | null, { spans }: PageList<unknown>, direction: Direction): boolean {
  const last = spans.at(-1)?.last;
  return goal !== null && last !== undefined && compareInReading({ ...last, time: goal.until }, last, direction) < 0;
}

/** Drops the rows of the pages farthest from where somebody looks, when there are too many. */
export function keepBounds<Row>(state: WindowState<Row>, rules: WindowRules): WindowState<Row> {
  const { mostPages, direction } = rules;
  const { list, look } = state;
  if (list.inMemory.length <= mostPages) return state;
  const distance = (index: number): number => {
    const start = list.starts[index] ?? 0;
    const end = start + (list.spans[index]?.count ?? 0);
    return Math.max(0, start - look.to, look.from - end);
  };
  // Newest first, only the first page cannot be had again: what it is asked for with gives newer rows in their place.
  // The last one tells which rows of the next are repeats, where one may follow.
  const mayGrow = state.end === null || direction === 'asc';
  const pinned = (index: number): boolean =>
    (direction === 'desc' && index === 0) || (mayGrow && index === list.spans.length - 1) || isNear(state, index, rules);
  const farthest = list.inMemory.filter((index) => !pinned(index)).sort((a, b) => distance(b) - distance(a));
  return { ...state, list: dropRows(list, new Set(farthest.slice(0, list.inMemory.length - mostPages))) };
}
