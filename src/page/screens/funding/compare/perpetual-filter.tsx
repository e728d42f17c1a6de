import { type ComponentProps, useMemo, useState, useSyncExternalStore } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import type { CompareRow } from '#model/tables/funding/compare-row.ts';
import { useAnnouncedCount } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { SearchField } from '#page/kit/search-field.tsx';
import { useLazyProductSearch } from '#page/panels/products/use-lazy-product-search.ts';
import { createWatchlistStore } from '#page/panels/products/watchlist-store.ts';

function useWatchlists() {
  const [store] = useState(() => createWatchlistStore(window));
  return useSyncExternalStore(store.subscribe, store.read);
}

/** Returns the rows that match the text and the watchlist of the address. */
export function useFiltered<Row extends CompareRow>(
  rows: readonly Row[],
  products: readonly DeskProduct[],
): readonly Row[] {
  const [text] = useUrlState(COMPARE_PARAMS.quick);
  const [id] = useUrlState(COMPARE_PARAMS.watchlist);
  const lists = useWatchlists();
  const { search, isLoading } = useLazyProductSearch(products, text !== '');
  const found = useMemo(
    () =>
      text === '' || isLoading ? null : new Set(search.find(text).map(({ product_id: product }) => toNumber(product))),
    [search, text, isLoading],
  );
  const listed = useMemo(
    () => (id === '' ? null : new Set(lists.find((list) => list.id === id)?.products)),
    [lists, id],
  );
  const filtered = useMemo(
    () => rows.filter(({ productId }) => found?.has(productId) !== false && listed?.has(productId) !== false),
    [rows, found, listed],
  );
  useAnnouncedCount(filtered.length, rows.length, 'perpetuals');
  return filtered;
}

/** Filters the perpetuals by text and by watchlist. */
export function PerpetualFilter({ leave }: Pick<ComponentProps<typeof SearchField>, 'leave'>) {
  const [text, setText] = useUrlState(COMPARE_PARAMS.quick);
  const [id, choose] = useUrlState(COMPARE_PARAMS.watchlist);
  const lists = useWatchlists();
  return (
    <>
      <SearchField
        label="Filter by symbol, name or underlying"
        group="Funding"
        value={text}
        onChange={setText}
        leave={leave}
      />
      <select
        aria-label="Watchlist"
        value={id}
        onChange={({ target }) => {
          choose(target.value);
        }}
      >
        <option value="">All perpetuals</option>
        {lists.map((list) => (
          <option key={list.id} value={list.id}>
            ★ {list.name}
          </option>
        ))}
        {id !== '' && !lists.some((list) => list.id === id) && <option value={id}>Watchlist not found</option>}
      </select>
    </>
  );
}
