import type { ShownChange } from '#server/journal/read-journal.ts';
import { toOrderFilter, type Pairs } from '#server/core/order-rows.ts';

/** Whether a change is of an order that matches all filters, as those of working orders, and of one of the kinds. */
export function toChangeFilter(query: Pairs): (change: ShownChange) => boolean {
  const kinds = query.filter(([name]) => name === 'kind').map(([, kind]) => kind);
  const id = query.find(([name]) => name === 'order_id')?.[1];
  const matches = toOrderFilter(query);
  return (change) =>
    (kinds.length === 0 || kinds.includes(change.kind)) &&
    (id === undefined || id === change.id) &&
    matches(change.row);
}
