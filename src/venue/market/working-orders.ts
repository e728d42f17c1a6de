import { type EpochNanos, formatInstant } from '#contract/exchange/instant.ts';
import type { Order as WireOrder } from '#contract/exchange/order.ts';
import { type Order, type Product, type ProductKind, requireProduct } from '../core/model.ts';
import type { OrderFilter } from '../core/ports.ts';

/** Writes an order as JSON, exactly as the interface sends it. */
export function toOrderText(order: Order, product: Product): string {
  return toWorkingText(order, order, product);
}

/**
 * Writes a working order as JSON. Its quantities are those of the current book; its average price and last change are
 * the persisted ones, which may lag behind.
 *
 * @internal Exported for its test.
 */
export function toWorkingText(live: Order, persisted: Order, product: Product): string {
  const text = JSON.stringify({
    symbol: product.symbol,
    time: toInstant(live.timeNs),
    last_modified: toInstant(persisted.lastModifiedNs),
    product_id: live.productId,
    product_type: PRODUCT_TYPES[product.kind],
    id: String(live.id),
    connection_id: live.account.connectionId,
    clearing_firm_code: live.account.firm,
    account_id: live.account.id,
    open_ack_id: String(live.openAckId),
    side: live.side,
    price: live.price,
    avg_price: persisted.filled === 0 ? null : persisted.filledTicks / persisted.filled,
    quantity_requested: live.requested,
    quantity_filled: live.filled,
    status: live.status,
    time_in_force: live.timeInForce,
  } satisfies Record<keyof WireOrder, string | number | null>);
  return toAscii(text);
}

/** Escapes everything except ASCII, so that the length in bytes equals the length of the text. */
function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The product types of orders. The interface has none for perpetuals. */
export const PRODUCT_TYPES = {
  perpetual: 'Future',
  future: 'Future',
  spread: 'Spread',
  option: 'Option',
} as const satisfies Record<ProductKind, string>;

function toInstant(nanos: bigint): string {
  return formatInstant(nanos as EpochNanos);
}

/**
 * The working orders, each as JSON, newest first. Open quantities follow the book at once. An order appears once it is
 * persisted, and its average price and last change follow persistence as well.
 */
export interface WorkingSet {
  /** Applies orders in their current state in the book. */
  readonly follow: (orders: Iterable<Order>) => void;
  /** Applies orders in their persisted state. */
  readonly persist: (orders: Iterable<Order>) => void;
  /** Returns orders as JSON, by time, then id, both descending. */
  readonly texts: (filter: OrderFilter) => readonly string[];
}

interface Row {
  live: Order;
  /** Null until the order is persisted; until then it is not shown. */
  persisted: Order | null;
  readonly product: Product;
  text: string;
}

export function createWorkingSet(products: ReadonlyMap<number, Product>): WorkingSet {
  const known = new Map<bigint, Row>();
  // Rows are sorted oldest first, because the most frequent change, a new order, is then an append.
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

export function matchesIfGiven<T>(wanted: T | undefined, found: T): boolean {
  return wanted === undefined || wanted === found;
}

/** Returns the index of an order in rows sorted oldest first, or where it belongs. */
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
