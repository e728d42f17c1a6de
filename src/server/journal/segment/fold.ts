import type { Change, RowText } from './change.ts';

/** Orders by id. */
export type Orders = Map<string, RowText>;

/** The orders after these changes, which are in the order in which they were read. */
export function fold(orders: Orders, changes: Iterable<Change>): Orders {
  for (const { kind, id, row } of changes) {
    if (kind === 'gone') orders.delete(id);
    else if (kind !== 'ended') orders.set(id, row);
  }
  return orders;
}
