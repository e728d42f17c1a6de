import { createRepetitionCount } from '#model/orders/duplicates.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import type { ShownChange } from '#server/journal/read-journal.ts';
import { parseOrders } from './order-reader.ts';
import { toSource } from './topic-readings.ts';

/** The orders that were working at a time in the past. */
export interface PastBook {
  readonly apply: (changes: readonly ShownChange[]) => void;
  readonly rowsAt: (now: number) => readonly OrderRow[];
  /** How many more there are, whose rows are no orders. */
  readonly unreadable: () => number;
}

type IdAndRow = readonly [id: string, row: string];

/** Each order is parsed once for each of its states. */
export function createPastBook(orders: readonly IdAndRow[]): PastBook {
  const repetitions = createRepetitionCount();
  const termsOf = createTerms([], () => null);
  const known = new Map<string, { readonly order: OrderRow['order']; readonly twins: { readonly others: number } }>();
  const unreadable = new Set<string>();
  const drop = (id: string): void => {
    const before = known.get(id);
    if (before !== undefined) repetitions.remove(before.order);
    known.delete(id);
    unreadable.delete(id);
  };
  const put = (rows: readonly IdAndRow[]): void => {
    const parsed = parseOrders([...new Set(rows.map(([, row]) => row))]);
    for (const [id, row] of rows) {
      const order = parsed.get(row);
      drop(id);
      if (order === undefined) unreadable.add(id);
      else known.set(id, { order, twins: repetitions.add(order).twins });
    }
  };
  put(orders);
  return {
    apply: (changes) => {
      put(
        changes
          .filter(({ kind }) => kind === 'seen' || kind === 'changed' || kind === 'returned')
          .map(({ id, row }) => [id, row]),
      );
      for (const { kind, id } of changes) if (kind === 'gone') drop(id);
    },
    rowsAt: (now) => {
      const source = toSource('desk/journal', now);
      return Array.from(known.values(), ({ order, twins }) => ({
        order,
        terms: termsOf(order),
        source,
        asOf: now,
        twins: twins.others,
      }));
    },
    unreadable: () => unreadable.size,
  };
}
