import { matchesIfGiven, PRODUCT_TYPES } from '../market/working-orders.ts';
import type { Order, Product } from '../core/model.ts';
import type { OrderFilter } from '../core/ports.ts';
import type { Row } from '#sql/driver.ts';

/** A stream: the orders that agree in every field that filters use. */
interface Stream {
  readonly id: number;
  readonly productId: number;
  readonly symbol: string;
  readonly productType: string;
  readonly firm: string;
  readonly account: string;
  readonly connection: string;
}

/** The index ranges that a page of orders is merged from: one for each value of a column. */
export interface IndexRanges {
  readonly column: 'stream' | 'account' | 'product_id';
  readonly values: readonly (number | string)[];
}

/** The known streams, by account and product. */
interface StreamIndex {
  readonly byAccount: ReadonlyMap<string, readonly Stream[]>;
  readonly byProduct: ReadonlyMap<number, readonly Stream[]>;
}

/**
 * Returns the fewest index ranges that contain exactly these streams. A firm is all streams of its accounts, and a
 * product type is all streams of its products: a dozen ranges instead of a thousand streams.
 */
function fewestRanges(streams: readonly Stream[], { byAccount, byProduct }: StreamIndex): IndexRanges {
  const accounts = wholeGroups(streams, ({ account }) => account, byAccount);
  const products = wholeGroups(streams, ({ productId }) => productId, byProduct);
  const choices: readonly (IndexRanges | null)[] = [
    accounts && { column: 'account', values: accounts },
    products && { column: 'product_id', values: products },
  ];
  const each: IndexRanges = { column: 'stream', values: streams.map(({ id }) => id) };
  return choices.reduce<IndexRanges>(
    (best, ranges) => (ranges && ranges.values.length < best.values.length ? ranges : best),
    each,
  );
}

/** Returns the keys whose streams are all among these; null if a stream of one of these keys is missing. */
function wholeGroups<Key>(
  streams: readonly Stream[],
  keyOf: (stream: Stream) => Key,
  groups: ReadonlyMap<Key, readonly Stream[]>,
): readonly Key[] | null {
  const keys = [...new Set(streams.map(keyOf))];
  const size = keys.reduce((sum, key) => sum + (groups.get(key)?.length ?? 0), 0);
  return size === streams.length ? keys : null;
}

/** The streams of a batch of orders. */
interface StreamDraft {
  readonly idOf: (order: Order) => number;
  readonly newRows: () => readonly Row[];
  /** Keeps the new streams. To be called once they are on disk. */
  readonly apply: () => void;
}

export interface Streams {
  readonly draft: () => StreamDraft;
  /** Returns the index ranges of the orders that match a filter; null: all orders. */
  readonly indexRanges: (filter: OrderFilter) => IndexRanges | null;
}

type ProductFields = Pick<Product, 'symbol' | 'kind'>;

/** Creates the registry of streams. There are at most a few thousand, so they are kept in memory. */
export function createStreams(rows: readonly Row[], productOf: (id: number) => ProductFields): Streams {
  const known = new Map<string, Stream>();
  const byAccount = new Map<string, Stream[]>();
  const byProduct = new Map<number, Stream[]>();
  const cached = new Map<string, IndexRanges | null>();
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
      apply: () => {
        [...fresh.values()].forEach(keep);
        if (fresh.size > 0) cached.clear();
      },
    };
  };

  const findRanges = (filter: OrderFilter): IndexRanges | null => {
    const accounts = accountsOf(filter);
    const candidates = accounts?.flatMap((account) => byAccount.get(account) ?? []) ?? [...known.values()];
    const matching = candidates.filter((stream) => matches(stream, filter));
    return matching.length === known.size ? null : fewestRanges(matching, { byAccount, byProduct });
  };

  const indexRanges = (filter: OrderFilter): IndexRanges | null => {
    const key = JSON.stringify(filter);
    const before = cached.get(key);
    if (before !== undefined) return before;
    const found = findRanges(filter);
    if (cached.size >= CACHE_SIZE) cached.clear();
    cached.set(key, found);
    return found;
  };

  return { draft, indexRanges };
}

/** The cache is small, because few different filters are used again and again. */
const CACHE_SIZE = 500;

function addTo<Key>(groups: Map<Key, Stream[]>, key: Key, stream: Stream): void {
  const others = groups.get(key);
  if (others) others.push(stream);
  else groups.set(key, [stream]);
}

/** Returns the accounts of a filter, each once; null if it has none. */
function accountsOf({ accountId, accounts }: OrderFilter): readonly string[] | null {
  if (accountId === undefined) return accounts === undefined ? null : [...new Set(accounts)];
  return accounts === undefined || accounts.includes(accountId) ? [accountId] : [];
}

function matches(stream: Stream, filter: OrderFilter): boolean {
  return (
    matchesIfGiven(filter.productId, stream.productId) &&
    matchesIfGiven(filter.symbol, stream.symbol) &&
    matchesIfGiven(filter.productType, stream.productType) &&
    matchesIfGiven(filter.firm, stream.firm) &&
    matchesIfGiven(filter.connectionId, stream.connection)
  );
}

function createStream(id: number, { productId, account }: Order, { symbol, kind }: ProductFields): Stream {
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
