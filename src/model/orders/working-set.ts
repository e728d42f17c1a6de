import type { DeskWorking, WorkingDrop } from '#contract/desk/desk.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { compareOrderIds } from '#contract/exchange/ids.ts';
import { countOf } from '../format/count.ts';

/** One read of the exchange that the working set consists of. */
interface CheckedPart {
  /** `product_type=Future, account_id=…`, or `everything`. */
  readonly filter: string;
  /** Product id in the filter, or null. */
  readonly product: string | null;
  readonly count: number;
  readonly readAt: Instant;
}

/** Whether the working set is complete, with the evidence. */
export interface CompletenessCheck {
  readonly complete: boolean;
  /** Why the set may be incomplete, a sentence each. */
  readonly reasons: readonly string[];
  /** Many orders that this reading does not list, and the last complete one did; null: nothing of the kind. */
  readonly drop: WorkingDrop | null;
  readonly parts: readonly CheckedPart[];
  /** Distinct orders of all parts. */
  readonly orders: number;
  /** Orders that occurred more than once. */
  readonly repeated: number;
  readonly readFrom: Instant | null;
  readonly readTo: Instant | null;
}

export interface WorkingSet {
  /** Distinct orders. Of duplicates, the last one counts. */
  readonly orders: readonly Order[];
  readonly completeness: CompletenessCheck;
}

/**
 * Perpdesk has checked the parts against each other. Here only what arrived is checked: orders are counted again, since
 * the list needs distinct ids and rows that could not be parsed are missing from it. `distinct`: how many ids there are, if that is known.
 */
export function toWorkingSet(
  working: DeskWorking,
  unreadable: number,
  distinct = new Set(working.orders.map(({ id }) => id)).size,
): WorkingSet {
  const repeated = working.orders.length - distinct;
  const expected = working.parts.reduce((sum, { count }) => sum + count, 0);
  const received = working.orders.length + unreadable;
  const found = [
    ...(unreadable > 0
      ? [`${countOf(unreadable, 'order')} failed validation and ${unreadable === 1 ? 'is' : 'are'} not in the list.`]
      : []),
    ...(repeated > 0 && working.unproven.length === 0
      ? [`${countOf(repeated, 'order')} received more than once.`]
      : []),
    ...(expected === received
      ? []
      : [
          `The parts report ${countOf(expected, 'order')}, but ${String(received)} ${received === 1 ? 'was' : 'were'} received.`,
        ]),
  ];
  const reasons = [...working.unproven, ...found];
  const parts = working.parts.map(({ filter, count, read_at: readAt }) => ({
    filter: describeFilter(filter),
    product: filter.product_id ?? null,
    count,
    readAt,
  }));
  return {
    orders: repeated === 0 ? working.orders : [...new Map(working.orders.map((order) => [order.id, order])).values()],
    completeness: {
      complete: working.complete && reasons.length === 0,
      reasons:
        working.complete || reasons.length > 0
          ? reasons
          : ['Perpdesk reports the list as incomplete but gives no reason.'],
      drop: working.drop ?? null,
      parts,
      orders: distinct,
      repeated,
      readFrom: working.read_from,
      readTo: working.read_to,
    },
  };
}

function describeFilter(filter: object): string {
  return (
    Object.entries(filter)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(', ') || 'no filter'
  );
}

/** The default order of lists: newest first, since ids increase. */
export function compareNewest(a: Order, b: Order): number {
  return compareOrderIds(b.id, a.id);
}

/** An order, or a row of one. */
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

/** Without a copy of the part, and without an argument for each of its rows. */
function pushPart<Row>(to: Row[], rows: readonly Row[], from: number, until: number): void {
  for (let place = from; place < until; place++) to.push(rows[place] as Row);
}

/** The first place, from one on, whose order is not newer, which is its own if it is there. Mostly near, so it is first looked for in ever longer steps. */
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
