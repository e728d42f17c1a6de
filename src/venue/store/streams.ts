import { PRODUCT_TYPES } from '../market/order-text.ts';
import type { Order, Product } from '../model.ts';
import type { OrderFilter } from '../ports.ts';
import type { Row } from './driver.ts';
import { fewestRanges, type IndexRanges, type Stream } from './index-ranges.ts';

/** What the streams of a batch are, and which of them are new. */
interface StreamDraft {
  readonly idOf: (order: Order) => number;
  readonly newRows: () => readonly Row[];
  /** To be called when the new ones are on disk. */
  readonly keep: () => void;
}

export interface Streams {
  readonly draft: () => StreamDraft;
  /** Where the orders are that a filter lets through; null: everywhere. */
  readonly indexRanges: (filter: OrderFilter) => IndexRanges | null;
}

type ProductNouns = Pick<Product, 'symbol' | 'kind'>;

/** The streams known so far. A few thousand at most, so they are kept in memory and searched there. */
export function createStreams(rows: readonly Row[], productOf: (id: number) => ProductNouns): Streams {
  const known = new Map<string, Stream>();
  const byAccount = new Map<string, Stream[]>();
  const byProduct = new Map<number, Stream[]>();
  const asked = new Map<string, IndexRanges | null>();
  const keep = (stream: Stream): void => {
    known.set(keyOf(stream), stream);
    addTo(byAccount, stream.account, stream);
    addTo(byProduct, stream.productId, stream);
  };
  rows.map(toStream).forEach(keep);

  const draft = (): StreamDraft => {
    const fresh = new Map<string, Stream>();
    const add = (order: Order, key: string): Stream => {
      const stream = createStream(known.size + fresh.size + 1, order, productOf(order.productId));
      fresh.set(key, stream);
      return stream;
    };
    return {
      idOf: (order) => {
        const key = keyOfOrder(order);
        return (known.get(key) ?? fresh.get(key) ?? add(order, key)).id;
      },
      newRows: () => [...fresh.values()].map(toRow),
      keep: () => {
        [...fresh.values()].forEach(keep);
        if (fresh.size > 0) asked.clear();
      },
    };
  };

  const findLanes = (filter: OrderFilter): IndexRanges | null => {
    const accounts = accountsOf(filter);
    const candidates = accounts?.flatMap((account) => byAccount.get(account) ?? []) ?? [...known.values()];
    const matching = candidates.filter((stream) => matches(stream, filter));
    return matching.length === known.size ? null : fewestRanges(matching, { byAccount, byProduct });
  };

  const indexRanges = (filter: OrderFilter): IndexRanges | null => {
    const key = JSON.stringify(filter);
    const before = asked.get(key);
    if (before !== undefined) return before;
    const found = findLanes(filter);
    if (asked.size >= MOST_REMEMBERED) asked.clear();
    asked.set(key, found);
    return found;
  };

  return { draft, indexRanges };
}

/** Callers ask with few filters again and again. */
const MOST_REMEMBERED = 500;

function addTo<Key>(groups: Map<Key, Stream[]>, key: Key, stream: Stream): void {
  const others = groups.get(key);
  if (others) others.push(stream);
  else groups.set(key, [stream]);
}

/** The accounts a filter names, each once; null where it names none. */
function accountsOf({ accountId, accounts }: OrderFilter): readonly string[] | null {
  if (accountId === undefined) return accounts === undefined ? null : [...new Set(accounts)];
  return accounts === undefined || accounts.includes(accountId) ? [accountId] : [];
}

function matches(stream: Stream, filter: OrderFilter): boolean {
  return (
    isOrAbsent(filter.productId, stream.productId) &&
    isOrAbsent(filter.symbol, stream.symbol) &&
    isOrAbsent(filter.productType, stream.productType) &&
    isOrAbsent(filter.firm, stream.firm) &&
    isOrAbsent(filter.connectionId, stream.connection)
  );
}

function isOrAbsent<T>(wanted: T | undefined, found: T): boolean {
  return wanted === undefined || wanted === found;
}

function createStream(id: number, { productId, account }: Order, { symbol, kind }: ProductNouns): Stream {
  const { firm, id: code, connectionId: connection } = account;
  return { id, productId, symbol, productType: PRODUCT_TYPES[kind], firm, account: code, connection };
}

function keyOf({ productId, account, firm, connection }: Stream): string {
  return `${productId}\n${account}\n${firm}\n${connection}`;
}

function keyOfOrder({ productId, account }: Order): string {
  return `${productId}\n${account.id}\n${account.firm}\n${account.connectionId}`;
}

function toRow({ id, productId, symbol, productType, firm, account, connection }: Stream): Row {
  return [id, productId, symbol, productType, firm, account, connection];
}

function toStream([id, productId, symbol, productType, firm, account, connection]: Row): Stream {
  return {
    id: Number(id),
    productId: Number(productId),
    symbol: String(symbol),
    productType: String(productType),
    firm: String(firm),
    account: String(account),
    connection: String(connection),
  };
}
