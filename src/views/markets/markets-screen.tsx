import { useDeferredValue, useEffect, useMemo } from 'react';
import { toMarketRows } from '#domain/market-rows.ts';
import { useAnnounce } from '#ui/live-region.tsx';
import { useNavigator, useUrlState } from '#ui/navigation/navigation.tsx';
import { FreshnessMark } from '#ui/panel/freshness-mark.tsx';
import { FilteredOut, Nothing, PanelBody } from '#ui/panel/panel-body.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { findAwaited } from './awaited.tsx';
import { FavouritesProvider, useFavourites } from './favourites.tsx';
import { filterRows } from './filter-rows.ts';
import { MarketFooter } from './market-footer.tsx';
import { MarketTable } from './market-table.tsx';
import { MarketTools } from './market-tools.tsx';
import styles from './markets-screen.module.css';
import { Notices } from './notices.tsx';
import { withEstimates } from './with-estimates.ts';
import { toPanelQuery, type MarketData } from './to-panel-query.ts';
import { MOVING_SECONDS, useMarketAnswers, type MarketReading } from './use-market-answers.ts';
import { markedFilter, textFilter, typeFilter } from './view-params.ts';

/** Every product that trades: where it is, how it moved, what holding it costs. */
export function MarketsScreen() {
  // What comes is drawn in steps that keys and pointer come between.
  const reading = useDeferredValue(useMarketAnswers());
  const { parts, unread, answers } = reading;
  const query = toPanelQuery(reading, () => {
    for (const part of parts) void part.query.refetch();
    unread.retry();
  });
  const { data } = query;
  const shown = [...parts.map((part) => part.query.data), ...(answers?.estimates?.values() ?? [])];
  return (
    <FavouritesProvider>
      <div className={styles['screen']}>
        <Toolbar title="Markets" aside={data && <FreshnessMark query={{ ...query, data }} everySeconds={MOVING_SECONDS} besides={shown} />}>
          <MarketTools />
        </Toolbar>
        <div className={styles['body']} aria-busy={data === undefined && query.isFetching}>
          <PanelBody query={query}>{({ answers }) => <MarketList answers={answers} parts={parts} unread={unread} />}</PanelBody>
        </div>
      </div>
    </FavouritesProvider>
  );
}

interface MarketListProps extends Pick<MarketReading, 'parts' | 'unread'> {
  readonly answers: MarketData['answers'];
}

function MarketList({ answers, parts, unread }: MarketListProps) {
  const { products, trailing, voi, funding, data, estimates } = answers;
  const settled = useMemo(() => toMarketRows({ products, trailing, voi, funding, data }), [products, trailing, voi, funding, data]);
  const all = useMemo(() => withEstimates(settled, estimates), [settled, estimates]);
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
      <Notices parts={parts} unread={unread} estimates={estimates} rows={all} />
      {rows.length > 0 && <MarketTable rows={rows} all={all} awaited={findAwaited(parts).join()} />}
      {rows.length === 0 && <FilteredOut total={all.length} clear={clear} />}
      {rows.length === 0 && <MarketFooter rows={rows} total={all.length} />}
    </>
  );
}

type Rows = ReturnType<typeof toMarketRows>;

function useFiltered(all: Rows): Rows {
  const [text] = useUrlState(textFilter);
  const [type] = useUrlState(typeFilter);
  const [only] = useUrlState(markedFilter);
  const favourites = useFavourites();
  const marked = only === 'favourites' ? favourites : null;
  const rows = useMemo(() => filterRows(all, { text, type, marked }), [all, text, type, marked]);
  useToldCount(rows.length, all.length);
  return rows;
}

/** What typing has left is told to those who cannot see it. */
function useToldCount(count: number, total: number): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (count < total) announce(`${String(count)} of ${String(total)} products`);
  }, [count, total, announce]);
}

function useClear(): () => void {
  const navigator = useNavigator();
  return () => {
    const { pathname, search } = new URL(navigator.read(), 'http://page');
    const query = new URLSearchParams(search);
    textFilter.write(query, '');
    typeFilter.write(query, 'all');
    markedFilter.write(query, 'all');
    navigator.go(`${pathname}?${query.toString()}`, 'replace');
  };
}
