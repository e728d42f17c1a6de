import type { DeskJournalBook, DeskJournalPrices } from '#contract/desk/journal.ts';
import { countOf } from '../format/count.ts';
import { compareNewest, mergeNewest, type WorkingSet } from './working-set.ts';
import type { OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import { findChangedFields } from './order-fields.ts';
import { copyRow, type OrderRow } from './order-row.ts';
import { createMarketPriceOf, type MarketPriceOf } from './order-terms.ts';
import type { Sourced } from '../response.ts';

/**
 * Makes the working set of a past instant. Its completeness is that of the reading: the journal checked its parts when
 * they were read.
 */
export function toPastSet(
  { orders: received, complete, in_gap: inGap, read_from: readFrom, read_to: readTo }: DeskJournalBook,
  unreadable: number,
): WorkingSet {
  const orders = [...new Map(received.map((order) => [order.id, order])).values()];
  const repeated = received.length - orders.length;
  const reasons = [
    ...(complete
      ? []
      : ['The reading did not cover all orders: those that it lacks are shown as an earlier reading had them.']),
    ...(inGap ? ['Nothing was read for too long around this time: orders may have changed and gone unseen.'] : []),
    ...(unreadable > 0
      ? [`${countOf(unreadable, 'order')} failed validation and ${unreadable === 1 ? 'is' : 'are'} not in the list.`]
      : []),
    ...(repeated > 0 ? [`${countOf(repeated, 'order')} received more than once.`] : []),
  ];
  return {
    orders,
    completeness: {
      complete: reasons.length === 0,
      reasons,
      drop: null,
      parts: [],
      orders: orders.length,
      repeated,
      readFrom,
      readTo,
    },
  };
}

/** Creates a function that looks up market prices as they were recorded. */
export function createPastPriceOf(recorded: Sourced<DeskJournalPrices>): MarketPriceOf {
  const { read_at: readAt, prices } = recorded.value;
  return createMarketPriceOf({ ...recorded, respondedAt: readAt, value: prices });
}

/** How an order differs between two times. */
export const DIFFERENCES = ['added', 'changed', 'gone', 'same'] as const;
export type Difference = (typeof DIFFERENCES)[number];

interface OrderDifference {
  readonly kind: Difference;
  /** The order at the earlier time; null if it was not working then. */
  readonly before: OrderRow | null;
  /** Fields that changed, by their names on the wire. */
  readonly fields: readonly (keyof Order)[];
}

export interface BookComparison {
  /** The later book, plus the orders that are gone from the earlier one, as they were there. Newest first. */
  readonly rows: readonly OrderRow[];
  readonly differences: ReadonlyMap<OrderId, OrderDifference>;
  readonly counts: Readonly<Record<Difference, number>>;
}

/** Compares the working orders of two times. Changes that were undone in between do not show. */
export function compareBooks(earlier: readonly OrderRow[], later: readonly OrderRow[]): BookComparison {
  const missing = new Map(earlier.map((row) => [row.order.id, row]));
  const differences = new Map<OrderId, OrderDifference>();
  const counts = { added: 0, changed: 0, gone: 0, same: 0 };
  const add = (id: OrderId, difference: OrderDifference): void => {
    differences.set(id, difference);
    counts[difference.kind] += 1;
  };
  for (const { order } of later) {
    const before = missing.get(order.id) ?? null;
    missing.delete(order.id);
    add(order.id, toDifference(before, order));
  }
  for (const [id, before] of missing) add(id, { kind: 'gone', before, fields: [] });
  const gone = [...missing.values()].map((row): OrderRow => ({ ...copyRow(row), absent: 'left' }));
  return {
    rows: mergeNewest(
      later,
      gone.sort((a, b) => compareNewest(a.order, b.order)),
    ),
    differences,
    counts,
  };
}

function toDifference(before: OrderRow | null, order: Order): OrderDifference {
  if (before === null) return { kind: 'added', before, fields: [] };
  const fields = findChangedFields(before.order, order);
  return { kind: fields.length === 0 ? 'same' : 'changed', before, fields };
}
