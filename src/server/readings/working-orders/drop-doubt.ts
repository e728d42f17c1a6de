import type { RowText } from '#server/journal/segment/change.ts';
import { NO_ROWS, type RowList } from '#server/core/row-list.ts';

/** The orders that one reading of the whole working set lists. */
export interface Listing {
  /** In epoch milliseconds. */
  readonly at: number;
  /** By itself: all of it was read. */
  readonly isComplete: boolean;
  readonly list: RowList;
}

/** Orders by id, as written. */
export type OrdersById = ReadonlyMap<string, RowText>;

/** What a page of the order history says of orders that a reading does not list. */
export interface HistoryAnswer<One extends Listing> {
  /** The reading that the history was asked about, and when it answered. */
  readonly about: One;
  readonly at: number;
  readonly working: readonly string[];
  readonly closed: readonly string[];
}

/** A reading about which nothing more will be found out. One that is not complete lacks orders that may be working. */
interface Settled<One extends Listing> {
  readonly listing: One;
  readonly isComplete: boolean;
}

interface Doubt<One extends Listing> {
  /** The newest reading that lacks them. */
  readonly newest: One;
  /** The orders of the last believed reading that it lacks. */
  readonly missing: OrdersById;
  /** Readings that wait for the answer of the history, the oldest first; none once it has answered. */
  readonly waiting: readonly One[];
  /** How many of the missing orders the history had as working; 0: it has not said so. */
  readonly working: number;
  /** The first reading that it contradicted; null: none. */
  readonly contradictedAt: number | null;
}

export interface DropState<One extends Listing> {
  /** The last reading that was believed; null: there was none. */
  readonly believed: One | null;
  readonly doubt: Doubt<One> | null;
  /** How many orders left at once in the believed reading without an answer of the history; 0: all is verified. */
  readonly unverified: number;
}

interface Step<One extends Listing> {
  readonly state: DropState<One>;
  readonly settled: readonly Settled<One>[];
}

/** More than so many orders at once, and more than this share of them, are not believed to be gone at once. */
const LEAST_DROP = 20;
const LEAST_SHARE = 0.2;
/** Readings that may wait for an answer of the history. */
const MOST_WAITING = 3;
/** For how long the history may contradict the list. */
const CONTRADICTED_MS = 600_000;

/**
 * Whether to believe that orders are gone which a reading does not list, where these are many. The rule:
 *
 * 1. A complete reading that lacks more than 20 orders and more than a fifth of the last believed one is in doubt. Any other
 *    complete reading is believed, and ends a doubt: readings that were still in doubt were incomplete.
 * 2. The history is asked, after the reading, how the newest of the missing orders stand. One that is working there proves
 *    the reading incomplete, and those after it for as long as the orders are missing; the history is asked again
 *    meanwhile, since it may only have lagged behind. If it has closed some and none is working, the reading that it was
 *    asked about is believed, with every earlier one that lacks no order which was listed again. A later one is then
 *    compared with it.
 * 3. Where the history does not answer until the second reading after the first in doubt, the newest is believed,
 *    unverified. So it is where the history has contradicted the list for ten minutes: then it is the history that is wrong.
 *
 * Orders that come back after a reading without them was believed are corrected in the journal: see `Change`.
 */
export function startDrops<One extends Listing>(believed: One | null): DropState<One> {
  return { believed, doubt: null, unverified: 0 };
}

/** A further reading of the exchange. `known`: the orders of the last believed one that it lacks, if they are known. */
export function takeListing<One extends Listing>(state: DropState<One>, listing: One, known?: OrdersById): Step<One> {
  const { believed, doubt } = state;
  if (!listing.isComplete)
    return doubt === null ? { state, settled: [{ listing, isComplete: false }] } : prolong(state, doubt, listing);
  if (believed === null) return believe(state, listing);
  const missing = known ?? findMissing(believed.list, listing);
  if (!isDrop(missing.size, believed.list.keys.length)) return believe(state, listing);
  return prolong(state, { waiting: [], working: 0, contradictedAt: null, ...doubt, newest: listing, missing }, listing);
}

/** What the history says. It says nothing about a doubt that is over, or if it answered before the reading. */
export function takeAnswer<One extends Listing>(
  state: DropState<One>,
  { about, at, working, closed }: HistoryAnswer<One>,
): Step<One> {
  const { believed, doubt } = state;
  if (doubt === null || believed === null || about.at <= believed.at || at < about.at) return { state, settled: [] };
  const stillMissing = working.filter((id) => doubt.missing.has(id)).length;
  if (stillMissing > 0) {
    const contradicted = {
      ...doubt,
      waiting: [],
      working: stillMissing,
      contradictedAt: doubt.contradictedAt ?? doubt.newest.at,
    };
    return {
      state: { ...state, doubt: contradicted },
      settled: doubt.waiting.map((listing) => ({ listing, isComplete: false })),
    };
  }
  if (working.length > 0 || closed.length === 0) return { state, settled: [] };
  const found = believe(state, about);
  if (doubt.contradictedAt === null) return doubt.waiting.filter((one) => one.at > about.at).reduce(takeNext, found);
  // All of them were incomplete by then: what is gone is so with the next reading.
  const next = doubt.newest.at > about.at ? takeListing(found.state, doubt.newest).state : found.state;
  return { state: { ...next, doubt: next.doubt && { ...next.doubt, waiting: [] } }, settled: [] };
}

export function isDrop(missing: number, known: number): boolean {
  return missing > LEAST_DROP && missing > known * LEAST_SHARE;
}

export function findMissing({ keys, rows }: RowList, listing: Pick<Listing, 'list'>): OrdersById {
  const listed = new Set(listing.list.keys);
  const missing = new Map<string, RowText>();
  for (const [place, id] of keys.entries()) if (!listed.has(id)) missing.set(id, rows[place] ?? '');
  return missing;
}

function takeNext<One extends Listing>({ state, settled }: Step<One>, listing: One): Step<One> {
  const next = takeListing(state, listing);
  return { state: next.state, settled: [...settled, ...next.settled] };
}

function prolong<One extends Listing>(state: DropState<One>, doubt: Doubt<One>, listing: One): Step<One> {
  if (doubt.contradictedAt !== null) {
    const isOver = listing.isComplete && listing.at - doubt.contradictedAt >= CONTRADICTED_MS;
    return isOver
      ? believe(state, listing, doubt.missing.size)
      : { state: { ...state, doubt }, settled: [{ listing, isComplete: false }] };
  }
  const waiting = [...doubt.waiting, listing];
  const next = { ...state, doubt: { ...doubt, waiting } };
  if (waiting.length < MOST_WAITING) return { state: next, settled: [] };
  return waiting
    .filter(({ at }) => at > doubt.newest.at)
    .reduce(takeNext, believe(next, doubt.newest, doubt.missing.size));
}

function believe<One extends Listing>({ believed, doubt }: DropState<One>, listing: One, unverified = 0): Step<One> {
  const before = (doubt?.waiting ?? []).filter(({ at }) => at < listing.at);
  const listed = new Set(before.length === 0 ? [] : listing.list.keys);
  const isWhole = (one: One): boolean =>
    one.isComplete && [...findMissing(believed?.list ?? NO_ROWS, one).keys()].every((id) => !listed.has(id));
  const settled = [...before.map((one) => ({ listing: one, isComplete: isWhole(one) })), { listing, isComplete: true }];
  return { state: { believed: listing, doubt: null, unverified }, settled };
}
