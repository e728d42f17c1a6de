import { nextSnapshot } from '../grid/snapshots.ts';
import { createWireOrders, type WireOrder } from '../lib/wire-orders.ts';

export const ORDERS = 10_000;

/** Working orders that change by 600 rows at a time, as the server receives them from the exchange. */
export interface Book {
  readonly orders: () => readonly WireOrder[];
  readonly change: () => void;
}

export function createBook(first: readonly WireOrder[] = createWireOrders(ORDERS)): Book {
  let orders = first;
  let changes = 0;
  return {
    orders: () => orders,
    change: () => {
      changes += 1;
      orders = nextSnapshot(orders, changes);
    },
  };
}

/** Writes the response as the server composes it. */
export function toResponse(orders: readonly WireOrder[]): string {
  return `{"complete":true,"orders":${JSON.stringify(orders)}}`;
}
