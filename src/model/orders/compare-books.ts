import type { OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import { compareNewest, mergeNewest } from './working-set.ts';
import { findChangedFields } from './tracked-orders.ts';
import { copyRow, type OrderRow } from './order-row.ts';

/** How an order differs between two instants. */
export const DIFFERENCES = ['added', 'changed', 'gone', 'same'] as const;
export type Difference = (typeof DIFFERENCES)[number];

interface OrderDifference {
  readonly kind: Difference;
  /** The order at the earlier instant; null if it was not working then. */
  readonly before: OrderRow | null;
  /** Fields that changed, by their names on the wire. */
  readonly fields: readonly (keyof Order)[];
}

export interface BookComparison {
  /** The later book, and the orders that are gone from it as they were in the earlier one; newest first. */
  readonly rows: readonly OrderRow[];
  readonly differences: ReadonlyMap<OrderId, OrderDifference>;
  readonly counts: Readonly<Record<Difference, number>>;
}

/** Compares the working orders of two instants. What happened between them and was undone by the later one is not seen. */
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
