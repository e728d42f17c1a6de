import type { WorkingDrop } from '#contract/desk/desk.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import type { Reading } from '#server/journal/compare-reading.ts';
import { idTextOf, toId, type RowText } from '#server/journal/segment/change.ts';
import { toOrderFilter, toText, type Pairs } from '#server/core/order-rows.ts';
import type { Log } from '#server/core/ports.ts';
import { filterRows, NO_ROWS, readRows } from '#server/core/row-list.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { HistoryReader } from '../orders/read-history.ts';
import {
  findMissing,
  isDrop,
  startDrops,
  takeAnswer,
  takeListing,
  type DropState,
  type Listing,
  type OrdersById,
} from './drop-doubt.ts';
import { toInstant } from '#server/core/to-instant.ts';

interface JournaledListing extends Listing {
  /** Equal for equal readings. */
  readonly key: string;
  readonly reading: Reading;
  readonly expectedMs: number;
}

export interface DropCheckParts {
  readonly journal: {
    /** Those that it has as working, as at the start. */
    readonly orders: () => Iterable<RowText>;
    readonly record: (reading: Reading, expectedMs: number) => void;
  };
  readonly readHistory: HistoryReader;
  readonly now: () => number;
  /** It is known by now what a reading in doubt is worth. */
  readonly onDecided: () => void;
  readonly log: Log;
}

/** Finds out whether readings are to be believed in which many orders are missing. */
export interface DropCheck {
  /** Takes a reading of the whole working set, which the journal is given as soon as it is known what it is worth. */
  readonly take: (reading: Reading, expectedMs: number) => WorkingDrop | null;
  /** The same of orders that match a filter, compared with those of the last believed reading, unless that is old. */
  readonly takePart: (filter: Pairs, reading: Reading) => WorkingDrop | null;
  /** The orders that may be working although the last reading does not list them. */
  readonly missing: () => Iterable<RowText>;
}

/** The history is asked again no more often where it contradicts the list. */
const ASK_AGAIN_MS = 30_000;
/** Of the orders that match a filter, too many may have closed by themselves since. */
const RECENT_MS = 120_000;

export function createDropCheck({ journal, readHistory, now, onDecided, log }: DropCheckParts): DropCheck {
  const known = restore(journal.orders());
  let state: DropState<JournaledListing> = startDrops(known);
  let newest: JournaledListing | null = null;
  let isAsking = false;
  let askedAt = -Infinity;

  const apply = (step: ReturnType<typeof takeListing<JournaledListing>>): void => {
    state = step.state;
    for (const { listing, isComplete } of step.settled)
      journal.record({ ...listing.reading, isComplete }, listing.expectedMs);
  };

  const ask = async (): Promise<void> => {
    const { doubt } = state;
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
      apply(takeAnswer(state, { about: doubt.newest, at: now(), ...found }));
      onDecided();
    } catch (error) {
      // The next reading asks again.
      if (!(error instanceof VenueFailure))
        log('error', 'missing orders not checked', { reason: error instanceof Error ? error.stack : String(error) });
    } finally {
      isAsking = false;
    }
  };

  return {
    take: (reading, expectedMs) => {
      // What a cache still has is no new reading.
      if (keyOf(reading) !== newest?.key) {
        newest = toListing(reading, expectedMs);
        apply(takeListing(state, newest, goneSince(state.believed, reading)));
        void ask();
      }
      return toDrop(state);
    },
    takePart: (filter, reading) => {
      const { believed } = state;
      const listing = toListing(reading, 0);
      if (believed === null || listing.at - believed.at > RECENT_MS) return null;
      const matches = toOrderFilter(filter);
      const own = filterRows(believed.list, matches);
      const missing = findMissing(own, listing).size;
      return isDrop(missing, own.keys.length) ? { state: 'in doubt', orders: missing, working: null } : null;
    },
    missing: () => state.doubt?.missing.values() ?? [],
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

/** The orders that are gone since the last believed reading, if this one was compared with it; undefined: that is to be found out. */
function goneSince(believed: Listing | null, { rows }: Reading): OrdersById | undefined {
  if (believed === null || rows?.from.deref() !== believed.list) return undefined;
  return new Map(rows.diff.gone.map(({ key, row }) => [key, row]));
}

/** Ids as the working list has them. */
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

/** What may narrow a request, so that a page has fewer other orders. */
const NARROWING = ['product_id', 'account_id'] as const;
const SECOND_MS = 1_000;

/**
 * The page of the order history with as many of the newest of these orders as one can have: accepted from the oldest to the
 * newest of them, the newest first, of their product and account where all have the same. Null: none says when it was
 * accepted.
 */
function toDropRequest(orders: Iterable<RowText>): Pairs | null {
  const rows = [...orders];
  const times = rows.map((row) => Date.parse(toText(fieldOf(row, 'time')))).filter((time) => !Number.isNaN(time));
  if (times.length === 0) return null;
  const [oldest, newest] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Infinity, -Infinity],
  );
  const narrowing = NARROWING.flatMap((name) => {
    const [value = '', ...others] = new Set(rows.map((row) => toText(fieldOf(row, name))));
    return value === '' || others.length > 0 ? [] : [[name, value] as const];
  });
  return [
    ...narrowing,
    ['begin_time', toInstant(oldest - SECOND_MS)],
    ['end_time', toInstant(newest + SECOND_MS)],
    ['order', 'desc'],
  ];
}
