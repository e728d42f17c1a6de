import type { Order, Product } from '../core/model.ts';
import type { OrderFilter } from '../core/ports.ts';
import { PRODUCT_TYPES, toWorkingText } from './order-text.ts';
import { requireProduct } from './require-product.ts';

/**
 * The working orders, each as JSON, newest first. Open quantities follow the book at once; an order appears, and its
 * average price and last change follow, once they are persisted.
 */
export interface WorkingSet {
  /** Takes orders as they are in the book now. */
  readonly follow: (orders: Iterable<Order>) => void;
  /** Takes orders as they were persisted. */
  readonly persist: (orders: Iterable<Order>) => void;
  /** Orders as JSON, by time, then id, both descending. */
  readonly texts: (filter: OrderFilter) => readonly string[];
}

interface Row {
  live: Order;
  /** Null until the order is persisted: it is not shown before. */
  persisted: Order | null;
  readonly product: Product;
  text: string;
}

export function createWorkingSet(products: ReadonlyMap<number, Product>): WorkingSet {
  const known = new Map<bigint, Row>();
  // Oldest first: new orders, the most frequent change, are appended.
  const rows: Row[] = [];

  const add = (live: Order): void => {
    const row: Row = { live, persisted: null, product: requireProduct(products, live.productId), text: '' };
    known.set(live.id, row);
    rows.splice(indexOf(rows, live), 0, row);
  };

  const remove = (order: Order): void => {
    if (known.delete(order.id)) rows.splice(indexOf(rows, order), 1);
  };

  const rewrite = (row: Row): void => {
    if (row.persisted) row.text = toWorkingText(row.live, row.persisted, row.product);
  };

  const follow = (live: Order): void => {
    const row = known.get(live.id);
    if (live.status === 'Closed') remove(live);
    else if (!row) add(live);
    else rewrite(Object.assign(row, { live }));
  };

  return {
    follow: (orders) => {
      for (const order of orders) follow(order);
    },
    persist: (orders) => {
      for (const persisted of orders) {
        const row = known.get(persisted.id);
        if (row) rewrite(Object.assign(row, { persisted }));
      }
    },
    texts: (filter) => {
      const isWanted = createRowTest(filter);
      const texts: string[] = [];
      for (let i = rows.length - 1; i >= 0; i -= 1) {
        const row = rows[i];
        if (row?.persisted && isWanted(row)) texts.push(row.text);
      }
      return texts;
    },
  };
}

function createRowTest(filter: OrderFilter): (row: Row) => boolean {
  if (Object.keys(filter).length === 0) return () => true;
  const accounts = filter.accounts && new Set(filter.accounts);
  return ({ live: { account, productId }, product }) =>
    (!accounts || accounts.has(account.id)) &&
    matchesIfGiven(filter.productId, productId) &&
    matchesIfGiven(filter.symbol, product.symbol) &&
    matchesIfGiven(filter.productType, PRODUCT_TYPES[product.kind]) &&
    matchesIfGiven(filter.firm, account.firm) &&
    matchesIfGiven(filter.accountId, account.id) &&
    matchesIfGiven(filter.connectionId, account.connectionId);
}

function matchesIfGiven<T>(wanted: T | undefined, found: T): boolean {
  return wanted === undefined || wanted === found;
}

/** The index of an order in rows from oldest to newest, or where it belongs. */
function indexOf(rows: readonly Row[], order: Order): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row && isOlder(row.live, order)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isOlder(a: Order, b: Order): boolean {
  return a.timeNs === b.timeNs ? a.id < b.id : a.timeNs < b.timeNs;
}
