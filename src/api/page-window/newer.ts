import type { Cursor } from '#contract/paging.ts';
import { toPageAfter } from '../pages.ts';
import { reaches, replaceHead, withoutLast } from './page-list.ts';
import type { PageSpan, ReadPage } from './page-span.ts';
import { compareInReading, type Direction, type Place } from './place.ts';
import { afterMore, toReadPage, withList, type PageAnswer, type WindowRules, type WindowState } from './window-state.ts';

/** What is known of rows that came since the list was read, and of those that are not any more as it has them. */
export interface Newer {
  readonly count: number;
  /** There may be more of them than one page holds. */
  readonly isLeast: boolean;
  /** Rows of the newest page that were read otherwise. */
  readonly changed: number;
  /** When it was last looked, in epoch milliseconds; null: not yet, or in vain. */
  readonly lookedAt: number | null;
  /** Why the last look failed. */
  readonly error: Error | null;
}

export const NOT_LOOKED: Newer = { count: 0, isLeast: false, changed: 0, lookedAt: null, error: null };

/** Where newer rows would come: before the first page, or behind the last. Null where they are not to be told from the rest. */
export function toNewestCursor<Row>({ end, tail }: WindowState<Row>, direction: Direction): { readonly cursor: Cursor | null } | null {
  if (direction === 'desc') return { cursor: null };
  return end === null ? null : { cursor: tail };
}

/** Of the newest end, read once more, what the list has not. */
export function countNewer<Row extends Place>({ list }: WindowState<Row>, answer: PageAnswer<Row>, direction: Direction, lookedAt: number): Newer {
  const { data } = answer.value;
  const border = direction === 'desc' ? list.spans[0] : list.spans.at(-1);
  // By id: to look through one page for each row of another is a quarter of a million comparisons.
  const known = new Map(border?.held?.rows.map((row) => [row.id, row]));
  const unknown = border === undefined ? data : data.filter((row) => !known.has(row.id) && isBeyond(row, border, direction));
  const isLeast = unknown.length > 0 && unknown.length === data.length && toPageAfter(answer, []) !== null;
  const changed = data.filter((row) => hasChanged(row, known.get(row.id)));
  return { count: unknown.length, isLeast, changed: changed.length, lookedAt, error: null };
}

function hasChanged<Row extends Place>(row: Row, known: Row | undefined): boolean {
  return known !== undefined && (Object.keys(row) as (keyof Row)[]).some((field) => row[field] !== known[field]);
}

/** Newer than the border, or within its page and come late. */
function isBeyond<Row extends Place>(row: Row, { last, held }: PageSpan<Row>, direction: Direction): boolean {
  if (held === null) return false;
  const [first = last] = held.rows;
  return direction === 'desc' ? compareInReading(row, last, direction) < 0 : compareInReading(row, first, direction) > 0;
}

/** The last page, read once more: it comes in place of itself, with what has changed in it and what came behind it. */
export function afterTail<Row extends Place>(state: WindowState<Row>, answer: PageAnswer<Row>, rules: WindowRules): WindowState<Row> {
  return afterMore({ ...state, list: withoutLast(state.list, state.tail) }, state.tail, answer, rules);
}

/** So many pages of newer rows are put before the list; past them it is begun anew. */
const MOST_NEW_PAGES = 10;

/** Reads from the beginning until it comes to what is there; gives what puts it in place. */
export async function readNewHead<Row extends Place>(
  { list: known }: WindowState<Row>,
  ask: (cursor: Cursor | null) => Promise<PageAnswer<Row>>,
  rules: WindowRules,
  empty: WindowState<Row>,
): Promise<(state: WindowState<Row>) => WindowState<Row>> {
  const read: ReadPage<Row>[] = [];
  const [head] = known.spans;
  let began: WindowState<Row> = empty;
  for (let cursor: Cursor | null = null; ; cursor = began.next) {
    const answer = await ask(cursor);
    read.push(toReadPage(cursor, answer));
    began = afterMore(began, cursor, answer, rules);
    if (began.next === null || head === undefined || read.length === MOST_NEW_PAGES || reaches(answer.value.data, head, rules.direction)) break;
  }
  return (state) => putHead(state, read, began, rules);
}

function putHead<Row extends Place>(state: WindowState<Row>, read: readonly ReadPage<Row>[], began: WindowState<Row>, rules: WindowRules): WindowState<Row> {
  const list = state.list.rowCount === 0 ? null : replaceHead(state.list, read, rules.direction);
  if (list !== null) return withList({ ...state, sentInVain: new Set([...state.sentInVain, ...began.sentInVain]) }, list);
  const { next, end, sentInVain, tail } = began;
  return { ...state, list: began.list, next, end, sentInVain, tail };
}
