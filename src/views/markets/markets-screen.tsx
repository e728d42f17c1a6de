import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { createEstimator } from '#domain/create-estimator.ts';
import { toMarketRows } from '#domain/market-rows.ts';
import type { GridHandle } from '#ui/grid/grid-props.ts';
import { useNavigator, useUrlState, writeQuery } from '#ui/navigation/navigation.tsx';
import { FreshnessMark } from '#panels/freshness-mark.tsx';
import { FilteredOut, Nothing, PanelBody } from '#panels/panel-body.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { useToldCount } from '#ui/use-told-count.ts';
import { findPending } from './grid/pending-columns.ts';
import { FavouritesProvider, useFavourites } from './filter/favourites.tsx';
import { filterRows } from './filter/filter-rows.ts';
import { EarlyFooter, MarketFooter } from './grid/market-footer.tsx';
import { MarketGrid } from './grid/market-grid.tsx';
import { MarketFilters } from './filter/market-filters.tsx';
import styles from './markets-screen.module.css';
import { Notices } from './notices.tsx';
import { toPanelQuery, type MarketData } from './data/to-panel-query.ts';
import { useMarketData, type MarketState } from './data/use-market-data.ts';
import { favouritesFilter, textFilter, typeFilter } from './market-params.ts';

/** Every product that trades: where it is, how it moved, what holding it costs. */
export function MarketsScreen() {
  // What comes is drawn in steps that keys and pointer come between.
  const reading = useDeferredValue(useMarketData());
  const { parts, unread, estimates, isFundingCut } = reading;
  const grid = useRef<GridHandle>(null);
  const query = toPanelQuery(reading, () => {
    for (const part of parts) void part.query.refetch();
    unread.retry();
  });
  const { data } = query;
  const shown = [...parts.map((part) => part.query.data), ...estimates.values()];
  return (
    <FavouritesProvider>
      <div className={styles['screen']}>
        <Toolbar title="Markets" aside={data && <FreshnessMark query={{ ...query, data }} everySeconds={data.everySeconds} besides={shown} />}>
          <MarketFilters grid={grid} />
        </Toolbar>
        <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
          <PanelBody query={query}>{({ answers }) => <MarketList {...{ answers, parts, estimates, unread, isFundingCut, grid }} />}</PanelBody>
          {data === undefined && <EarlyFooter />}
        </div>
      </div>
    </FavouritesProvider>
  );
}

interface MarketListProps extends Omit<MarketState, 'answers'> {
  readonly answers: MarketData['answers'];
  readonly grid: RefObject<GridHandle | null>;
}

/** Drawn again only when something of it has come. */
const MarketList = memo(function MarketList({ answers, parts, estimates, unread, isFundingCut, grid }: MarketListProps) {
  const settled = useMemo(() => toMarketRows(answers), [answers]);
  const [withEstimates] = useState(createEstimator);
  const all = useMemo(() => withEstimates(settled, estimates), [withEstimates, settled, estimates]);
  const rows = useFiltered(all);
  const clear = useClear();
  if (all.length === 0) {
    return (
      <Nothing title="No product trades now">
        <p>The venue lists none as active. The page asks again by itself.</p>
      </Nothing>
    );
  }
  return (
    <>
      <Notices parts={parts} unread={unread} estimates={estimates} isFundingCut={isFundingCut} rows={all} />
      {rows.length > 0 && <MarketGrid rows={rows} all={all} awaited={findPending(parts).join()} handle={grid} />}
      {rows.length === 0 && <FilteredOut total={all.length} clear={clear} />}
      {rows.length === 0 && <MarketFooter rows={rows} total={all.length} />}
    </>
  );
});

type Rows = ReturnType<typeof toMarketRows>;

function useFiltered(all: Rows): Rows {
  const [text] = useUrlState(textFilter);
  const [type] = useUrlState(typeFilter);
  const [only] = useUrlState(favouritesFilter);
  const favourites = useFavourites();
  const marked = only === 'favourites' ? favourites : null;
  const rows = useMemo(() => filterRows(all, { text, type, marked }), [all, text, type, marked]);
  useToldCount(rows.length, all.length, 'products');
  return rows;
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
