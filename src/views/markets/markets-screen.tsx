import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { addAges } from '#domain/markets/market-ages.ts';
import { nameProduct } from '#domain/markets/name-product.ts';
import { toMarketRows, createEstimateJoin } from '#domain/markets/market-rows.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useNavigator, useUrlState, writeQuery } from '#ui/navigation/navigation.tsx';
import { FreshnessMark } from '#panels/freshness-mark.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { LazyProductProposals } from '#panels/products/lazy-product-proposals.ts';
import { Skeleton } from '#panels/skeleton.tsx';
import { useLazyProductSearch } from '#panels/products/use-lazy-product-search.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { NoMatches } from '#panels/no-matches.tsx';
import { PanelBody } from '#panels/panel-body.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { useAnnouncedCount } from '#ui/live-region.tsx';
import { findPending } from './grid/pending-columns.ts';
import { FavouritesProvider, useFavourites } from './filter/favourites.tsx';
import { filterRows, toIds } from './filter/filter-rows.ts';
import { FooterPlaceholder, MarketFooter } from './grid/market-footer.tsx';
import { MarketGrid } from './grid/market-grid.tsx';
import { MarketFilters } from './filter/market-filters.tsx';
import styles from './markets-screen.module.css';
import { Notices } from './notices.tsx';
import { toPanelQuery, type MarketData } from './data/to-panel-query.ts';
import { useMarketData, type MarketState } from './data/use-market-data.ts';
import { favouritesFilter, textFilter, typeFilter } from './market-params.ts';

/** Every active product with its price, change, volume and funding. */
export function MarketsScreen() {
  // Deferred, so that drawing new data never holds up the keyboard or the pointer.
  const state = useDeferredValue(useMarketData());
  const { queries, failedEstimates, estimates, isFundingTruncated, due } = state;
  const grid = useRef<GridHandle>(null);
  const query = toPanelQuery(state, () => {
    for (const one of queries) void one.query.refetch();
    failedEstimates.retry();
  });
  const { data } = query;
  const shown = [...queries.map((one) => one.query.data), ...estimates.values()];
  return (
    <FavouritesProvider>
      <div className={styles['screen']}>
        <Toolbar title="Markets" aside={data && <FreshnessMark query={{ ...query, data }} everySeconds={data.everySeconds} besides={shown} />}>
          <MarketFilters grid={grid} />
        </Toolbar>
        <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
          <PanelBody query={query}>{({ responses }) => <MarketList {...{ responses, queries, estimates, failedEstimates, isFundingTruncated, due, grid }} />}</PanelBody>
          {data === undefined && <FooterPlaceholder />}
        </div>
      </div>
    </FavouritesProvider>
  );
}

interface MarketListProps extends Omit<MarketState, 'responses'> {
  readonly responses: MarketData['responses'];
  readonly grid: RefObject<GridHandle | null>;
}

const MarketList = memo(function MarketList({ responses, queries, estimates, failedEstimates, isFundingTruncated, due, grid }: MarketListProps) {
  const joined = useMemo(() => toMarketRows(responses), [responses]);
  const settled = useMemo(() => addAges(joined, due), [joined, due]);
  const [withEstimates] = useState(createEstimateJoin);
  const all = useMemo(() => withEstimates(settled, estimates), [withEstimates, settled, estimates]);
  const { rows, isSearching, text } = useFiltered(all, responses.products.value.products);
  const clear = useClear();
  if (all.length === 0) {
    return (
      <EmptyState title="No active products">
        <p>The exchange lists no active products. Perpdesk checks again automatically.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Notices queries={queries} failedEstimates={failedEstimates} estimates={estimates} isFundingTruncated={isFundingTruncated} rows={all} />
      {rows.length > 0 && <MarketGrid rows={rows} all={all} pending={findPending(queries).join()} handle={grid} />}
      {rows.length === 0 && isSearching && <Skeleton />}
      {rows.length === 0 && !isSearching && <NoMatches total={all.length} clear={clear} proposals={text !== '' && <Proposals text={text} rows={all} />} />}
      {rows.length === 0 && <MarketFooter rows={rows} total={all.length} />}
    </>
  );
});

/** Each drops all other filters, which might hide it. */
function Proposals({ text, rows }: { readonly text: string; readonly rows: Rows }) {
  const products = useMemo(() => rows.map(({ product }) => product), [rows]);
  return <LazyProductProposals text={text} products={products} toChoice={(product) => <Link to={`/?q=${encodeURIComponent(nameProduct(product))}`}>{nameProduct(product)}</Link>} />;
}

type Rows = ReturnType<typeof toMarketRows>;

function useFiltered(all: Rows, products: readonly DeskProduct[]) {
  const [text] = useUrlState(textFilter);
  const [type] = useUrlState(typeFilter);
  const [only] = useUrlState(favouritesFilter);
  const favourites = useFavourites();
  const among = only === 'favourites' ? favourites : null;
  const { search, isLoading } = useLazyProductSearch(products, text !== '');
  const found = useMemo(() => (text === '' ? null : toIds(search.find(text))), [search, text]);
  const rows = useMemo(() => filterRows(all, { found, type, favourites: among }), [all, found, type, among]);
  useAnnouncedCount(rows.length, all.length, 'products');
  return { rows, isSearching: isLoading, text };
}

function useClear(): () => void {
  const navigator = useNavigator();
  return () => {
    writeQuery(navigator, (query) => {
      textFilter.write(query, '');
      typeFilter.write(query, 'all');
      favouritesFilter.write(query, 'all');
    });
  };
}
