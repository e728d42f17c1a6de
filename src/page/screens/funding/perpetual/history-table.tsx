import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toMillis } from '#model/time/session.ts';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { NO_REFETCH } from '#page/client/freshness.ts';
import { withReadTime } from '#model/funding/funding-series.ts';
import { countOf } from '#model/format/count.ts';
import { examinePrints, toFaultNames } from '#model/funding/funding-faults.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { withUniqueKeys } from './unique-keys.ts';
import { countUsdDigits } from '#model/charts/funding/rate-figures.ts';
import { createHistoryColumns, type KeyedPrint, type SourcedPrint, toPriceDigits } from './history-columns.ts';
import styles from '../perpetual.module.css';

/** Shows every field of every settled rate, newest first. Older pages load when the end scrolls into view. */
export function HistoryTable({ data }: { readonly data: PerpetualData }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [zone] = useZone();
  const { perpetual, source } = data;
  const { query, prints, revised } = useHistoryPages(perpetual.base_symbol, source);
  const columns = useMemo(() => {
    const rows = prints.map(({ row }) => row);
    const timeText = (at: number): string => formatInstant(at, zone);
    return createHistoryColumns(data, {
      form,
      side,
      faulty: toFaultNames(examinePrints(rows, revised).faults),
      digits: toPriceDigits(rows),
      usdDigits: countUsdDigits(rows, data.conversion),
      timeText,
    });
  }, [data, form, side, zone, prints, revised]);
  const keyed = useMemo((): readonly KeyedPrint[] => withUniqueKeys(prints, ({ row }) => row.interval_end), [prints]);
  const { hasNextPage, isFetching, fetchNextPage, refetch, isSuccess, error } = query;
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <>
      <FigureGrid
        key={form}
        label="Funding history"
        columns={columns}
        rows={keyed}
        keyOf={keyOf}
        mayGrow={hasNextPage}
        onNearEnd={more}
      />
      <p className={styles['remark']}>
        {countOf(prints.length, 'settled rate')} loaded.{' '}
        {hasNextPage ? (
          <button type="button" onClick={more} disabled={isFetching}>
            {isFetching ? 'Loading…' : 'Load more'}
          </button>
        ) : (
          isSuccess && perpetual.reaches_launch && !isFetching && 'Complete since listing.'
        )}
        {error !== null &&
          ` ${prints.length > 0 ? 'Older settled rates' : 'Settled rates'} could not be loaded: ${error.message} `}
        {error !== null && prints.length === 0 && (
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        )}
      </p>
    </>
  );
}

function keyOf({ key }: KeyedPrint): string {
  return key;
}

/**
 * Merges pages with the latest response. Where they overlap, the latest response wins, because a page may hold rates
 * that were corrected since.
 *
 * @internal Exported for its test.
 */
export function mergeLatest(paged: readonly SourcedPrint[], latest: readonly SourcedPrint[]): readonly SourcedPrint[] {
  const [pagedFrom, latestFrom] = [oldestEnd(paged), oldestEnd(latest)];
  if (paged.length === 0) return [];
  return [
    ...latest.filter((print) => endOf(print) >= pagedFrom),
    ...paged.filter((print) => !(endOf(print) >= latestFrom)),
  ];
}

function endOf({ row }: SourcedPrint): number {
  return toMillis(row.interval_end);
}

function oldestEnd(prints: readonly SourcedPrint[]): number {
  return Math.min(...prints.map(endOf).filter((end) => !Number.isNaN(end)));
}

const ROWS_A_PAGE = 90;

/** Reads the settled rates of a perpetual page by page, newest first, back to its launch. */
function useHistoryPages(baseSymbol: string, latest: ApiResponse<DeskFunding>) {
  const { api } = useApi();
  const query = useInfiniteQuery({
    queryKey: ['desk/funding', 'pages', baseSymbol] as const,
    queryFn: ({ signal, pageParam }) =>
      api.desk.funding({ base_symbol: baseSymbol, limit: ROWS_A_PAGE, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value }) => value.pagination.cursor ?? null,
    ...NO_REFETCH,
  });
  const { pages } = query.data ?? NONE;
  const prints = useMemo(() => mergeLatest(pages.flatMap(listPrints), listPrints(latest)), [pages, latest]);
  // Each page lists all revisions.
  return { query, prints, revised: pages.at(-1)?.value.perpetuals[0]?.revised };
}

const NONE = { pages: [] as readonly ApiResponse<DeskFunding>[] };

function listPrints(source: ApiResponse<DeskFunding>): readonly SourcedPrint[] {
  const [perpetual] = source.value.perpetuals;
  if (perpetual === undefined) return [];
  const read = withReadTime(source, perpetual.read_at);
  return perpetual.prints.map((row) => ({ row, source: read }));
}
