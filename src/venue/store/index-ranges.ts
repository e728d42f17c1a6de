/** Orders that agree in every field that filters use. */
export interface Stream {
  readonly id: number;
  readonly productId: number;
  readonly symbol: string;
  readonly productType: string;
  readonly firm: string;
  readonly account: string;
  readonly connection: string;
}

/** The ranges of an index that a page of orders is merged from: one for each value of a column. */
export interface IndexRanges {
  readonly column: 'stream' | 'account' | 'product_id';
  readonly values: readonly (number | string)[];
}

/** The known streams, by account and product. */
export interface StreamIndex {
  readonly byAccount: ReadonlyMap<string, readonly Stream[]>;
  readonly byProduct: ReadonlyMap<number, readonly Stream[]>;
}

/**
 * The fewest index ranges that contain exactly these streams. A firm is all streams of its accounts, a product type all
 * streams of its products: a dozen ranges instead of a thousand streams.
 */
export function fewestRanges(streams: readonly Stream[], { byAccount, byProduct }: StreamIndex): IndexRanges {
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

/** The groups that the streams cover; null where a stream of one of these groups is missing. */
function wholeGroups<Key>(
  streams: readonly Stream[],
  keyOf: (stream: Stream) => Key,
  groups: ReadonlyMap<Key, readonly Stream[]>,
): readonly Key[] | null {
  const keys = [...new Set(streams.map(keyOf))];
  const size = keys.reduce((sum, key) => sum + (groups.get(key)?.length ?? 0), 0);
  return size === streams.length ? keys : null;
}
