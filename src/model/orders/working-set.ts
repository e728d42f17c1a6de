import type { DeskWorking, WorkingDrop } from '#contract/desk/desk.ts';
import { FIXED_FIELDS, type Order } from '#contract/exchange/order.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { compareOrderIds } from '#contract/exchange/ids.ts';
import { countOf } from '../format/count.ts';
import { findChangedFields } from './order-fields.ts';

/** One part of the working set. */
interface CheckedPart {
  /** `product_type=Future, account_id=…`, or `everything`. */
  readonly filter: string;
  /** Product ID in the filter, or null. */
  readonly product: string | null;
  readonly count: number;
  readonly readAt: Instant;
}

/** Whether the working set is complete, with the evidence. */
export interface CompletenessCheck {
  readonly complete: boolean;
  /** Why the set may be incomplete, one sentence each. */
  readonly reasons: readonly string[];
  /** Set if many orders of the last complete reading are missing from this one; otherwise null. */
  readonly drop: WorkingDrop | null;
  readonly parts: readonly CheckedPart[];
  /** Number of distinct orders in all parts. */
  readonly orders: number;
  /** Number of orders that occurred more than once. */
  readonly repeated: number;
  readonly readFrom: Instant | null;
  readonly readTo: Instant | null;
}

export interface WorkingSet {
  /** Distinct orders; of duplicates, the last one, unless they contradict each other. */
  readonly orders: readonly Order[];
  readonly completeness: CompletenessCheck;
}

/**
 * Checks only the list that arrived; Perpdesk has already checked the parts against each other. Orders are counted
 * again because the list needs distinct IDs and lacks rows that could not be parsed. `distinct`: the number of IDs, if
 * known.
 */
export function toWorkingSet(
  working: DeskWorking,
  unreadable: number,
  distinct = new Set(working.orders.map(({ id }) => id)).size,
): WorkingSet {
  const repeated = working.orders.length - distinct;
  const orders = repeated === 0 ? working.orders : withoutRepeated(working.orders, working.parts.length > 1);
  const contradictory = distinct - orders.length;
  const expected = working.parts.reduce((sum, { count }) => sum + count, 0);
  const received = working.orders.length + unreadable;
  const found = [
    ...(unreadable > 0
      ? [`${countOf(unreadable, 'order')} failed validation and ${unreadable === 1 ? 'is' : 'are'} not in the list.`]
      : []),
    ...describeContradictory(contradictory),
    ...(repeated > 0 && working.unproven.length === 0
      ? [`${countOf(repeated, 'order')} received more than once.`]
      : []),
    ...(expected === received
      ? []
      : [
          `The parts report ${countOf(expected, 'order')}, but ${String(received)} ` +
            `${received === 1 ? 'was' : 'were'} received.`,
        ]),
  ];
  const reasons = [...working.unproven, ...describeConflicts(working.conflicts), ...found];
  const parts = working.parts.map(({ filter, count, read_at: readAt }) => ({
    filter: describeFilter(filter),
    product: filter.product_id ?? null,
    count,
    readAt,
  }));
  return {
    orders,
    completeness: {
      complete: working.complete && reasons.length === 0,
      reasons:
        working.complete || reasons.length > 0
          ? reasons
          : ['Perpdesk reports the list as incomplete but gives no reason.'],
      drop: working.drop ?? null,
      parts,
      orders: orders.length,
      repeated,
      readFrom: working.read_from,
      readTo: working.read_to,
    },
  };
}

function describeContradictory(count: number): readonly string[] {
  if (count === 0) return [];
  const [was, is] = count === 1 ? ['was', 'is'] : ['were', 'are'];
  return [`${countOf(count, 'order')} ${was} received with different data, and ${is} not in the list.`];
}

function describeConflicts(conflicts: DeskWorking['conflicts'] = []): readonly string[] {
  const [first] = conflicts;
  return first === undefined
    ? []
    : [`${countOf(conflicts.length, 'order')} in conflict with other responses. ${first.reason}`];
}

/** Of orders with one ID, the last is kept, or none if they contradict each other: between two reads, it may change. */
function withoutRepeated(orders: readonly Order[], isOfReads: boolean): readonly Order[] {
  const isOne = (a: Order, b: Order): boolean =>
    isOfReads ? FIXED_FIELDS.every((field) => a[field] === b[field]) : findChangedFields(a, b).length === 0;
  return [...Map.groupBy(orders, ({ id }) => id).values()].flatMap((same) =>
    same.every((order) => isOne(same[0] ?? order, order)) ? same.slice(-1) : [],
  );
}

function describeFilter(filter: object): string {
  return (
    Object.entries(filter)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(', ') || 'no filter'
  );
}

/** Returns the completeness of the list, for each row of an export. */
export function toSetWord({
  completeness: { complete },
  isStale,
}: {
  readonly completeness: CompletenessCheck;
  readonly isStale: boolean;
}): string {
  const words = [...(complete ? [] : ['INCOMPLETE']), ...(isStale ? ['STALE'] : [])];
  return words.join(' ') || 'complete';
}

/** Returns the word that marks each exported row as past, and says whether all readings were complete. */
export function toPastWord(readings: readonly { readonly completeness: CompletenessCheck }[]): string {
  return readings.every(({ completeness: { complete } }) => complete) ? 'PAST complete' : 'PAST INCOMPLETE';
}

/** Sorts newest first, the default order of lists. Sorting by ID works because IDs increase. */
export function compareNewest(a: Order, b: Order): number {
  return compareOrderIds(b.id, a.id);
}

/** An order, or a row with an order. */
export interface Listed {
  readonly order: Order;
}

/** Merges two lists that are sorted newest first. The second is the shorter one. */
export function mergeNewest<Row extends Listed>(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  if (others.length === 0) return rows;
  const merged: Row[] = [];
  let at = 0;
  for (const other of others) {
    const place = findPlace(rows, other.order, at);
    pushPart(merged, rows, at, place);
    merged.push(other);
    at = place;
  }
  pushPart(merged, rows, at, rows.length);
  return merged;
}

/** Avoids both a copy of the part and a call with one argument per row. */
function pushPart<Row>(to: Row[], rows: readonly Row[], from: number, until: number): void {
  for (let place = from; place < until; place++) to.push(rows[place] as Row);
}

/**
 * Finds the first index, from a given one on, whose order is not newer; this is the order's own index if it is in the
 * list. The index is usually near, so the search starts with growing steps.
 */
export function findPlace(rows: readonly Listed[], order: Order, from = 0): number {
  const isNewer = (place: number): boolean => {
    const row = rows[place];
    return row !== undefined && compareNewest(row.order, order) < 0;
  };
  let [low, high] = [from, from];
  for (let step = 1; isNewer(high); step *= 2) [low, high] = [high + 1, high + step];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isNewer(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Part = DeskWorking['parts'][number];
type Filter = Part['filter'];

/** The orders of a working set, counted again by the filters of its parts. */
interface PartCounts {
  /** Number of orders that match each filter, in the order of the parts. */
  readonly counts: readonly number[];
  readonly inNoPart: number;
  readonly inSeveralParts: number;
}

export function countByParts(orders: readonly Order[], parts: readonly Part[]): PartCounts {
  const counts = parts.map(() => 0);
  let [inNoPart, inSeveralParts] = [0, 0];
  for (const order of orders) {
    let found = 0;
    for (const [place, { filter }] of parts.entries()) {
      if (!matchesFilter(order, filter)) continue;
      counts[place] = (counts[place] ?? 0) + 1;
      found += 1;
    }
    if (found === 0) inNoPart += 1;
    if (found > 1) inSeveralParts += 1;
  }
  return { counts, inNoPart, inSeveralParts };
}

/** The filter and the order name this field differently. */
const FIELDS: Readonly<Record<string, keyof Order>> = { clearing_member_code: 'clearing_firm_code' };

export function matchesFilter(order: Order, filter: Filter): boolean {
  return Object.entries(filter).every(
    ([name, value]) => String(order[FIELDS[name] ?? (name as keyof Order)]) === value,
  );
}
