import { type AliasKind, OWNER_FILTERS } from '#contract/desk/aliases.ts';
import { orderFilters, type Parameter } from '#contract/exchange/parameters.ts';
import { compareInstants, isInstant } from '#contract/exchange/instant.ts';
import { fieldOf } from '#contract/parse/row-texts.ts';
import { isVisible, type Pairs, toOrderFilter, toText } from '#server/core/order-rows.ts';
import type { Scope } from '#server/core/viewer.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';

/** A filter of the order history, and which of its rows count: an order in two sequences counts in the first. */
export interface OrderSequence {
  readonly filter: Pairs;
  readonly counts: (row: string) => boolean;
  /** Whether it contains orders of others, among which those that count may be few. */
  readonly isMixed: boolean;
}

/**
 * Above this, the history of all is searched instead, which costs less than one read per sequence. If a viewer’s orders
 * lie among very many others, pages are then short, which reveals only that.
 */
const MAX_SEQUENCES = 20;
/** Low, because working orders are read again every few seconds. */
const MAX_OWN_READS = 6;

/**
 * Plans how the orders in a scope are read: by account, clearing firm and connection, so that nothing depends on the
 * orders of others. `query` has the parameters of the request without limit and cursor.
 */
export function planOrderReads(query: Pairs, scope: Exclude<Scope, 'all'>): readonly OrderSequence[] {
  const given = new Map(query);
  const possible = listOwners(scope).filter(({ name, value }) => isSame(name, given.get(name) ?? value, value));
  if (possible.length === 0) return [];
  const isConfined = possible.some(({ name }) => given.has(name));
  if (isConfined) return [{ filter: query, counts: (row) => isVisible(scope, row), isMixed: false }];
  if (possible.length > MAX_SEQUENCES)
    return [{ filter: query, counts: (row) => isVisible(scope, row), isMixed: true }];
  return toSequences(query, possible);
}

/** Returns as few reads as contain all orders in a scope and no others; null if they would be too many. */
export function planOwnReads(scope: Exclude<Scope, 'all'>): readonly OrderSequence[] | null {
  const owners = listOwners(scope);
  return owners.length > MAX_OWN_READS ? null : toSequences([], owners);
}

function toSequences(query: Pairs, owners: readonly OwnerFilter[]): readonly OrderSequence[] {
  const tests = owners.map(({ name, value }) => toOrderFilter([[name, value]]));
  return owners.map(({ name, value }, place) => ({
    filter: [...query, [name, value]],
    counts: (row) => tests.findIndex((isOf) => isOf(row)) === place,
    isMixed: false,
  }));
}

interface OwnerFilter {
  readonly name: keyof typeof orderFilters;
  readonly value: string;
}

/**
 * Lists the owners in a scope, sorted because cursors refer to the sequence. Skips codes that the interface does not
 * allow, since no order has them.
 */
function listOwners({ accounts, firms, connections }: Exclude<Scope, 'all'>): readonly OwnerFilter[] {
  const codes: Readonly<Record<AliasKind, ReadonlySet<string>>> = {
    account: accounts,
    firm: firms,
    connection: connections,
  };
  const names = Object.keys(OWNER_FILTERS) as readonly OwnerFilter['name'][];
  return names.flatMap((name) => {
    const kind = OWNER_FILTERS[name];
    const { grammar }: Parameter = orderFilters[name];
    return kind === undefined
      ? []
      : [...codes[kind]]
          .filter(grammar.accepts)
          .sort()
          .map((value) => ({ name, value }));
  });
}

function isSame(name: OwnerFilter['name'], one: string, other: string): boolean {
  const { rule }: Parameter = orderFilters[name];
  return rule?.kind === 'equal' && rule.ignoresCase === true
    ? one.toLowerCase() === other.toLowerCase()
    : one === other;
}

/** A page as the exchange returned it. */
export interface OrderPage {
  /** As written. */
  readonly rows: readonly string[];
  /** Null: there is no next page. */
  readonly next: string | null;
}

/** Where to continue in a sequence: after an order of the page that a cursor names; null at the end. */
export type Place = {
  readonly cursor: string | null;
  readonly after: string | null;
  /** The size of the page that this order was on: a smaller one may end before it. */
  readonly size: number;
} | null;

export interface MergeRequest {
  readonly sequences: readonly OrderSequence[];
  /** One for each sequence. */
  readonly places: readonly Place[];
  readonly limit: number;
  readonly isNewestFirst: boolean;
  readonly maxReads: number;
  readonly read: (sequence: OrderSequence, cursor: string | null, size: number) => Promise<OrderPage>;
}

export interface Merged {
  readonly rows: readonly string[];
  readonly places: readonly Place[];
}

export const START: NonNullable<Place> = { cursor: null, after: null, size: 0 };

/**
 * Returns the next orders of all sequences, sorted by time as each of them is. Returns fewer than the limit if more
 * reads would be needed.
 */
export async function mergeOrderPages(request: MergeRequest): Promise<Merged> {
  const { sequences, places, limit, isNewestFirst } = request;
  const budget = { left: request.maxReads };
  const readers = sequences.map((sequence, index) =>
    createSequenceReader(request, sequence, places[index] ?? null, budget),
  );
  const rows: string[] = [];
  while (rows.length < limit) {
    const heads = await Promise.all(readers.map((reader) => reader.head()));
    // The next row is unknown unless every sequence has its head.
    if (heads.includes(UNREAD)) break;
    const next = findFirst(
      heads.map((head) => (head === UNREAD ? null : head)),
      isNewestFirst,
    );
    if (next === null) break;
    rows.push(next.row);
    readers[next.index]?.advance();
  }
  return { rows, places: readers.map((reader) => reader.place()) };
}

/** The next row is beyond the reads that are left. */
const UNREAD = Symbol('unread');
/** Null at the end. */
type Head = string | typeof UNREAD | null;

interface Found {
  readonly row: string;
  readonly index: number;
}

function findFirst(heads: readonly (string | null)[], isNewestFirst: boolean): Found | null {
  let first: Found | null = null;
  for (const [index, row] of heads.entries()) {
    if (row !== null && (first === null || comesBefore(row, first.row, isNewestFirst))) first = { row, index };
  }
  return first;
}

function comesBefore(row: string, other: string, isNewestFirst: boolean): boolean {
  const [time, otherTime] = [toText(fieldOf(row, 'time')), toText(fieldOf(other, 'time'))];
  if (!isInstant(time) || !isInstant(otherTime)) return false;
  return isNewestFirst ? compareInstants(time, otherTime) > 0 : compareInstants(time, otherTime) < 0;
}

interface Current extends OrderPage {
  readonly cursor: string | null;
  readonly size: number;
  /** The index of its next row. */
  at: number;
}

function createSequenceReader(
  { read, limit }: MergeRequest,
  sequence: OrderSequence,
  start: Place,
  budget: { left: number },
) {
  let place: Place = start;
  let page: Current | null = null;

  const open = async ({ cursor, after, ...known }: NonNullable<Place>): Promise<void> => {
    budget.left -= 1;
    const size = Math.max(known.size, limit);
    const { rows, next } = await read(sequence, cursor, size);
    const found = after === null ? -1 : rows.findIndex((row) => idOf(row) === after);
    if (after === null || found !== -1) {
      page = { rows, next, cursor, size, at: found + 1 };
      return;
    }
    // Newer orders have moved it to a later page.
    if (next === null) throw toMissing();
    place = { cursor: next, after, size };
  };

  const step = (current: Current): void => {
    current.at += 1;
    place = { cursor: current.cursor, after: idOf(current.rows[current.at - 1] ?? ''), size: current.size };
  };

  /**
   * Moves on from the last row of a page: to the next page, or to the end. An empty page is the end, as for every
   * client of the interface.
   */
  const leave = ({ rows, next }: Current): void => {
    place = next === null || rows.length === 0 ? null : { ...START, cursor: next };
    page = null;
  };

  const head = async (): Promise<Head> => {
    while (place !== null) {
      const row = page?.rows[page.at];
      if (page === null && budget.left <= 0) return UNREAD;
      if (page === null) await open(place);
      else if (row === undefined) leave(page);
      else if (sequence.counts(row)) return row;
      else step(page);
    }
    return null;
  };

  return {
    head,
    advance: () => {
      if (page !== null) step(page);
    },
    place: (): Place => {
      if (page !== null && page.at === page.rows.length) leave(page);
      return place;
    },
  };
}

function idOf(row: string): string {
  return toText(fieldOf(row, 'id'));
}

function toMissing(): VenueFailure {
  return new VenueFailure({
    type: 'bad-parameter',
    detail: 'The order that this page begins after is no longer there: begin with the first page.',
    parameter: 'cursor',
  });
}
