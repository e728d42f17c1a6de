import type { ColumnType } from './driver.ts';

/** Orders that agree in everything a filter can ask for. */
export interface Stream {
  readonly id: number;
  readonly productId: number;
  readonly symbol: string;
  readonly productType: string;
  readonly firm: string;
  readonly account: string;
  readonly connection: string;
}

/** Orders that a page is merged from: those with one of the values in a column, in the column's own order. */
export interface IndexRanges {
  readonly column: 'stream' | 'account' | 'product_id';
  readonly type: ColumnType;
  readonly values: readonly (number | string)[];
}

/** The streams known so far, by what they have in common. */
export interface StreamIndex {
  readonly byAccount: ReadonlyMap<string, readonly Stream[]>;
  readonly byProduct: ReadonlyMap<number, readonly Stream[]>;
}

/**
 * The fewest lanes that hold exactly these streams. A firm is all streams of its accounts, a product type all streams of
 * its products: a dozen lanes where there may be a thousand streams.
 */
export function fewestRanges(streams: readonly Stream[], { byAccount, byProduct }: StreamIndex): IndexRanges {
  const accounts = wholeGroups(streams, ({ account }) => account, byAccount);
  const products = wholeGroups(streams, ({ productId }) => productId, byProduct);
  const choices: readonly (IndexRanges | null)[] = [
    accounts && { column: 'account', type: 'text', values: accounts },
    products && { column: 'product_id', type: 'bigint', values: products },
  ];
  const each: IndexRanges = { column: 'stream', type: 'bigint', values: streams.map(({ id }) => id) };
  return choices.reduce<IndexRanges>(
    (best, lanes) => (lanes && lanes.values.length < best.values.length ? lanes : best),
    each,
  );
}

/** The groups that the streams make up; null where they leave out a stream of one of these groups. */
function wholeGroups<Key>(
  streams: readonly Stream[],
  keyOf: (stream: Stream) => Key,
  groups: ReadonlyMap<Key, readonly Stream[]>,
): readonly Key[] | null {
  const keys = [...new Set(streams.map(keyOf))];
  const size = keys.reduce((sum, key) => sum + (groups.get(key)?.length ?? 0), 0);
  return size === streams.length ? keys : null;
}
