import type { WorkingDrop } from '#contract/desk/desk.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { idTextOf, type RowText, toId } from '#server/journal/segment/change.ts';
import { filterRows, NO_ROWS, readRows, type RowList } from '#server/core/row-list.ts';
import type { Reading } from '#server/journal/compare-reading.ts';
import { type Pairs, toOrderFilter, toText } from '#server/core/order-rows.ts';
import type { Log } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { HistoryReader } from './read-history.ts';

/**
 * The orders in one reading of the whole working set.
 *
 * @internal Exported for its test.
 */
export interface Listing {
  /** In epoch milliseconds. */
  readonly at: number;
  /** Whether all of the set was read, leaving doubts about missing orders aside. */
  readonly isComplete: boolean;
  readonly list: RowList;
}

/** Orders by ID, as written. */
type OrdersById = ReadonlyMap<string, RowText>;

/** The order history’s view of the orders that a reading does not list. */
interface HistoryResponse<One extends Listing> {
  /** The reading that the history was checked for, and the time of its response. */
  readonly about: One;
  readonly at: number;
  readonly working: readonly string[];
  readonly closed: readonly string[];
}

/** A reading whose verdict is final. An incomplete one lacks orders that may be working. */
interface Settled<One extends Listing> {
  readonly listing: One;
  readonly isComplete: boolean;
}

interface Doubt<One extends Listing> {
  /** The newest reading that lacks the orders. */
  readonly newest: One;
  /** The orders of the last believed reading that it lacks. */
  readonly missing: OrdersById;
  /** Readings that wait for the history, oldest first; none once it has responded. */
  readonly waiting: readonly One[];
  /** How many of the missing orders the history shows as working; 0 before it has responded. */
  readonly working: number;
  /** The first reading that the history contradicted; null if none. */
  readonly contradictedAt: number | null;
}

/** @internal Exported for its test. */
export interface DropState<One extends Listing> {
  /** The last believed reading; null if there was none. */
  readonly believed: One | null;
  readonly doubt: Doubt<One> | null;
  /**
   * The number of orders that disappeared in the believed reading without confirmation by the history; 0 if all is
   * verified.
   */
  readonly unverified: number;
}

interface Step<One extends Listing> {
  readonly state: DropState<One>;
  readonly settled: readonly Settled<One>[];
}

/** More than this many orders, and more than this share of them, are not believed to be gone at once. */
const LEAST_DROP = 20;
const LEAST_SHARE = 0.2;
/** The number of readings that may wait for the history. */
const MOST_WAITING = 3;
/** How long the history may contradict the list. */
const CONTRADICTED_MS = 600_000;

/**
 * Decides whether to believe a reading that lacks many orders. The rule:
 *
 * 1. A complete reading that lacks more than 20 orders and more than a fifth of the last believed one is in doubt. Any
 *    other complete reading is believed and ends a doubt: readings that were still in doubt were incomplete.
 * 2. After the reading, the order history is checked for the newest of the missing orders. If one of them is working
 *    there, the reading is incomplete, as are those after it for as long as the orders are missing; the history is
 *    checked again meanwhile, since it may only have lagged behind. If it shows some as closed and none as working, the
 *    reading that it was checked for is believed, along with every earlier one that lacks no order which was listed
 *    again. A later one is then compared with it.
 * 3. If the history has not responded by the second reading after the first in doubt, the newest is believed,
 *    unverified. The same applies once the history has contradicted the list for ten minutes: then the history errs.
 *
 * Orders that come back after a reading without them was believed are corrected in the journal: see `Change`.
 *
 * @internal Exported for its test.
 */
export function startDrops<One extends Listing>(believed: One | null): DropState<One> {
  return { believed, doubt: null, unverified: 0 };
}

/**
 * Takes a reading of the exchange. `known` are the orders of the last believed one that it lacks, if that is known.
 *
 * @internal Exported for its test.
 */
export function takeListing<One extends Listing>(state: DropState<One>, listing: One, known?: OrdersById): Step<One> {
  const { believed, doubt } = state;
  if (!listing.isComplete)
    return doubt === null ? { state, settled: [{ listing, isComplete: false }] } : prolong(state, doubt, listing);
  if (believed === null) return believe(state, listing);
  const missing = known ?? findMissing(believed.list, listing);
  if (!isDrop(missing.size, believed.list.keys.length)) return believe(state, listing);
  return prolong(state, { waiting: [], working: 0, contradictedAt: null, ...doubt, newest: listing, missing }, listing);
}

/**
 * Takes a response of the history. It is ignored if the doubt is over, or if it is older than the reading.
 *
 * @internal Exported for its test.
 */
export function takeAnswer<One extends Listing>(
  state: DropState<One>,
  { about, at, working, closed }: HistoryResponse<One>,
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
  // All readings until then were incomplete, so what is missing will be gone with the next reading.
  const next = doubt.newest.at > about.at ? takeListing(found.state, doubt.newest).state : found.state;
  return { state: { ...next, doubt: next.doubt && { ...next.doubt, waiting: [] } }, settled: [] };
}

function isDrop(missing: number, known: number): boolean {
  return missing > LEAST_DROP && missing > known * LEAST_SHARE;
}

function findMissing({ keys, rows }: RowList, listing: Pick<Listing, 'list'>): OrdersById {
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

interface JournaledListing extends Listing {
  /** Equal for equal readings. */
  readonly key: string;
  readonly reading: Reading;
  readonly expectedMs: number;
}

export interface DropCheckDeps {
  readonly journal: {
    /** The working orders of the journal. */
    readonly orders: () => Iterable<RowText>;
    readonly record: (reading: Reading, expectedMs: number) => void;
  };
  readonly readHistory: HistoryReader;
  readonly now: () => number;
  /** Called when the verdict on a reading in doubt is final. */
  readonly onDecided: () => void;
  readonly log: Log;
}

/** Decides whether to believe readings in which many orders are missing. */
export interface DropCheck {
  /** Takes a reading of the whole working set. The journal gets it as soon as its verdict is final. */
  readonly take: (reading: Reading, expectedMs: number) => WorkingDrop | null;
  /**
   * Takes a reading of a filtered set, and compares it with the last believed reading of the whole unless that is old.
   */
  readonly takePart: (filter: Pairs, reading: Reading) => WorkingDrop | null;
  /** The orders that may be working although the last reading does not list them. */
  readonly missing: () => Iterable<RowText>;
  /** Starts again from the journal, in which another desk has recorded meanwhile. */
  readonly restart: () => void;
}

/** The interval between requests to the history while it contradicts the list. */
const ASK_AGAIN_MS = 30_000;
/** After longer than this, too many of the orders that match a filter may have closed by themselves. */
const RECENT_MS = 120_000;

export function createDropCheck({ journal, readHistory, now, onDecided, log }: DropCheckDeps): DropCheck {
  let last: DropState<JournaledListing> | null = null;
  let newest: JournaledListing | null = null;
  let isAsking = false;
  let askedAt = -Infinity;

  const current = (): DropState<JournaledListing> => (last ??= startDrops(restore(journal.orders())));
  const apply = (step: ReturnType<typeof takeListing<JournaledListing>>): void => {
    last = step.state;
    for (const { listing, isComplete } of step.settled)
      journal.record({ ...listing.reading, isComplete }, listing.expectedMs);
  };

  const ask = async (): Promise<void> => {
    const { doubt } = current();
    if (doubt === null || isAsking || (doubt.contradictedAt !== null && now() - askedAt < ASK_AGAIN_MS)) return;
    const request = toDropRequest(doubt.missing.values());
    if (request === null) return;
    isAsking = true;
    askedAt = now();
    try {
      const found = sortByStatus(
        doubt.missing,
        (await readHistory(request, null, { purpose: 'working', signal: new AbortController().signal })).rows,
      );
      apply(takeAnswer(current(), { about: doubt.newest, at: now(), ...found }));
      onDecided();
    } catch (error) {
      // The next reading checks the history again.
      if (!(error instanceof VenueFailure))
        log('error', 'missing orders not checked', { reason: error instanceof Error ? error.stack : String(error) });
    } finally {
      isAsking = false;
    }
  };

  return {
    take: (reading, expectedMs) => {
      // A cached response is no new reading.
      if (keyOf(reading) !== newest?.key) {
        newest = toListing(reading, expectedMs);
        apply(takeListing(current(), newest, goneSince(current().believed, reading)));
        void ask();
      }
      return toDrop(current());
    },
    takePart: (filter, reading) => {
      const { believed } = current();
      const listing = toListing(reading, 0);
      if (believed === null || listing.at - believed.at > RECENT_MS) return null;
      const matches = toOrderFilter(filter);
      const own = filterRows(believed.list, matches);
      const missing = findMissing(own, listing).size;
      return isDrop(missing, own.keys.length) ? { state: 'in doubt', orders: missing, working: null } : null;
    },
    missing: () => last?.doubt?.missing.values() ?? [],
    restart: () => {
      last = null;
    },
  };
}

function toDrop<One extends Listing>({ doubt, unverified }: DropState<One>): WorkingDrop | null {
  if (doubt === null) return unverified === 0 ? null : { state: 'unverified', orders: unverified, working: null };
  const orders = doubt.missing.size;
  return doubt.working === 0
    ? { state: 'in doubt', orders, working: null }
    : { state: 'contradicted', orders, working: doubt.working };
}

function restore(rows: Iterable<RowText>): JournaledListing | null {
  const text = [...rows].join(',');
  return text === '' ? null : toListing({ parts: [{ text, at: -Infinity }], isComplete: true }, 0);
}

function keyOf({ parts }: Reading): string {
  return parts.map(({ at }) => at).join(' ');
}

function toListing(reading: Reading, expectedMs: number): JournaledListing {
  const { parts, isComplete, rows } = reading;
  const { list } =
    rows ??
    readRows(
      NO_ROWS,
      parts.map(({ text }) => text),
      'id',
    );
  const at = Math.max(...parts.map((part) => part.at));
  return { key: keyOf(reading), at, isComplete, list, reading, expectedMs };
}

/**
 * Returns the orders that are gone since the last believed reading, if this one was compared with it; otherwise
 * undefined.
 */
function goneSince(believed: Listing | null, { rows }: Reading): OrdersById | undefined {
  if (believed === null || rows?.from.deref() !== believed.list) return undefined;
  return new Map(rows.diff.gone.map(({ key, row }) => [key, row]));
}

/** IDs are as the working list has them. */
function sortByStatus(
  missing: OrdersById,
  rows: Iterable<RowText>,
): { readonly working: readonly string[]; readonly closed: readonly string[] } {
  const byId = new Map(Array.from(missing.keys(), (key) => [toId(key), key]));
  const found = { working: [] as string[], closed: [] as string[] };
  for (const row of rows) {
    const key = byId.get(toId(idTextOf(row)));
    const status = fieldOf(row, 'status');
    if (key === undefined) continue;
    if (status === '"Working"') found.working.push(key);
    if (status === '"Closed"') found.closed.push(key);
  }
  return found;
}

/** The fields that may narrow a request, so that a page has fewer other orders. */
const NARROWING = ['product_id', 'account_id'] as const;
const SECOND_MS = 1_000;

/**
 * Returns the page of the order history with as many of the newest of these orders as one page can have: accepted
 * between the oldest and the newest of them, newest first, filtered by product and account if all share them. Null if
 * no order says when it was accepted.
 */
export function toDropRequest(orders: Iterable<RowText>): Pairs | null {
  const rows = [...orders];
  const range = findTimeRange(rows);
  if (range === null) return null;
  const narrowing = NARROWING.flatMap((name) => {
    const [value = '', ...others] = new Set(rows.map((row) => toText(fieldOf(row, name))));
    return value === '' || others.length > 0 ? [] : [[name, value] as const];
  });
  return [
    ...narrowing,
    ['begin_time', toInstant(range.oldest - SECOND_MS)],
    ['end_time', toInstant(range.newest + SECOND_MS)],
    ['order', 'desc'],
  ];
}

/** Returns when the oldest and the newest order were accepted; null if none says so. */
export function findTimeRange(rows: readonly RowText[]): { readonly oldest: number; readonly newest: number } | null {
  let [oldest, newest] = [Infinity, -Infinity];
  for (const row of rows) {
    const time = Date.parse(toText(fieldOf(row, 'time')));
    if (!Number.isNaN(time)) [oldest, newest] = [Math.min(oldest, time), Math.max(newest, time)];
  }
  return oldest === Infinity ? null : { oldest, newest };
}
