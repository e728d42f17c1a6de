import { lazyCode, type LazyCode } from '#page/kit/lazy.tsx';
import { memo, type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react';
import { addAges, createEstimateJoin, toMarketRows } from '#model/markets/market-rows.ts';
import type { GridHandle } from '#page/kit/grid/grid-props.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody, Skeleton } from '#page/panels/panel-body.tsx';
import { useLazyProductSearch } from '#page/panels/products/use-lazy-product-search.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { useExchangeMinute } from '#page/panels/use-exchange-time.ts';
import { LoadError } from '#page/kit/error-boundary.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useAnnouncedCount } from '#page/kit/live-region.tsx';
import { findPending } from './grid/adapt-columns.ts';
import {
  expiryFilter,
  filterRows,
  rightFilter,
  type RowFilter,
  textFilter,
  toIds,
  typeFilter,
} from '#model/tables/markets/market-list.ts';
import { LazyInactiveNotice, LazyNoRows } from './filter/lazy-filter-outcome.tsx';
import { FooterPlaceholder, MarketFooter } from './grid/market-footer.tsx';
import { MarketGrid } from './grid/market-grid.tsx';
import { MarketFilters } from './filter/market-filters.tsx';
import styles from './shared/markets-screen.module.css';
import { Notices } from './shared/notices.tsx';
import { type MarketData, type MarketState, toPanelQuery, useMarketData } from './shared/use-market-data.ts';
import type { ListCode } from './grid/list-code.tsx';
import { useListed, WatchlistsProvider } from './watchlists/watchlists.tsx';

/** This code loads while the first responses are on their way. */
const useListCode = lazyCode(async () => (await import('./grid/list-code.tsx')).listCode);

/** Every active product with its price, change, volume and funding. */
export function MarketsScreen() {
  // The value is deferred, so that drawing new data never delays the keyboard or the pointer.
  const state = useDeferredValue(useMarketData());
  const { queries, failedEstimates, estimates, isFundingTruncated, due } = state;
  const grid = useRef<GridHandle>(null);
  const later = useListCode();
  const query = toPanelQuery(state, () => {
    for (const one of queries) void one.query.refetch();
    failedEstimates.retry();
  });
  const { data } = query;
  const shown = [...queries.map((one) => one.query.data), ...estimates.values()];
  return (
    <WatchlistsProvider>
      <div className={styles['screen']}>
        <Toolbar
          title="Markets"
          aside={
            data &&
            findPending(queries).length === 0 && (
              <FreshnessMark query={{ ...query, data }} everySeconds={data.everySeconds} besides={shown} />
            )
          }
        >
          <MarketFilters grid={grid} code={later.code} />
        </Toolbar>
        <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
          <PanelBody query={query}>
            {({ responses }) => (
              <MarketList
                {...{ responses, queries, estimates, failedEstimates, isFundingTruncated, due, grid, later }}
              />
            )}
          </PanelBody>
          {data === undefined && <FooterPlaceholder />}
        </div>
      </div>
    </WatchlistsProvider>
  );
}

interface MarketListProps extends Omit<MarketState, 'responses'> {
  readonly responses: MarketData['responses'];
  readonly grid: RefObject<GridHandle | null>;
  readonly later: LazyCode<ListCode>;
}

const MarketList = memo(function MarketList({
  responses,
  queries,
  estimates,
  failedEstimates,
  isFundingTruncated,
  due,
  grid,
  later,
}: MarketListProps) {
  const joined = useMemo(() => toMarketRows(responses), [responses]);
  const aged = useMemo(() => addAges(joined, due), [joined, due]);
  const now = useExchangeMinute();
  const settled = useMemo(
    () => later.code?.addTerms(aged, responses.products, now) ?? aged,
    [later.code, aged, responses.products, now],
  );
  const [withEstimates] = useState(createEstimateJoin);
  const all = useMemo(() => withEstimates(settled, estimates), [withEstimates, settled, estimates]);
  const ofType = useOfType(all);
  const { rows, listed, isSearching, marked } = useFiltered(
    all,
    responses.products.value.products,
    useTermTest(later, now),
  );
  if (all.length === 0) {
    return (
      <EmptyState title="No active products">
        <p>The exchange lists no active products. Perpdesk checks again automatically.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Notices
        queries={queries}
        failedEstimates={failedEstimates}
        estimates={estimates}
        isFundingTruncated={isFundingTruncated}
        rows={ofType}
      />
      {later.code !== null && <later.code.ListDoubts responses={responses} rows={ofType} />}
      {listed !== null && <LazyInactiveNotice rows={all} />}
      {rows.length > 0 && (
        <MarketGrid
          rows={rows}
          all={all}
          pending={findPending(queries).join()}
          handle={grid}
          later={later}
          marked={marked}
        />
      )}
      {rows.length === 0 && isSearching && <Skeleton />}
      {rows.length === 0 && !isSearching && <LazyNoRows rows={all} />}
      {rows.length === 0 && <MarketFooter rows={rows} total={all.length} code={null} />}
    </>
  );
});

type Rows = ReturnType<typeof toMarketRows>;

/** Returns the rows that notices are about: only products of the chosen type. */
function useOfType(all: Rows): Rows {
  const [type] = useUrlState(typeFilter);
  return useMemo(() => all.filter(({ product }) => type === 'all' || product.type === type), [all, type]);
}

const NO_MARKS: readonly string[] = [];

/**
 * Returns the test for the expiry and call/put filters; `pending` until its code has loaded. If loading fails, a
 * filtered list cannot be shown.
 */
function useTermTest({ code, hasFailed }: LazyCode<ListCode>, now: number | null): RowFilter['terms'] | 'pending' {
  const [expires] = useUrlState(expiryFilter);
  const [right] = useUrlState(rightFilter);
  const isFiltering = expires !== '' || right !== '';
  const test = useMemo(() => {
    if (!isFiltering) return null;
    return code === null || now === null ? 'pending' : code.toTermTest({ expires, right }, now);
  }, [isFiltering, code, expires, right, now]);
  if (isFiltering && hasFailed) throw new LoadError();
  return test;
}

function useFiltered(all: Rows, products: readonly DeskProduct[], terms: RowFilter['terms'] | 'pending') {
  const [text] = useUrlState(textFilter);
  const [type] = useUrlState(typeFilter);
  const listed = useListed();
  const { search, isLoading } = useLazyProductSearch(products, text !== '');
  const found = useMemo(() => (text === '' ? null : toIds(search.find(text))), [search, text]);
  const isPending = terms === 'pending';
  const rows = useMemo(
    () => (isPending ? [] : filterRows(all, { found, type, terms, listed })),
    [all, found, type, terms, isPending, listed],
  );
  const marked = useMemo(() => (text === '' ? NO_MARKS : search.marked(text)), [search, text]);
  useAnnouncedCount(rows.length, all.length, 'products');
  return { rows, listed, isSearching: isLoading || isPending, marked };
}
