import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import { toMillis } from '#model/time/session.ts';
import type { Source } from '#model/source.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { ApiResponse } from '#model/response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { NO_REFETCH } from '#page/client/refetch-options.ts';
import { withReadTime } from '#model/tables/funding/perpetual-series.ts';

/** A settled rate with the response it came in. */
export interface SourcedPrint {
  readonly row: FundingRateData;
  readonly source: Source;
}

/**
 * Where pages and the latest response overlap, the latest response wins: a page may hold rates that were corrected since.
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

/** The settled rates of a perpetual page by page, newest first, back to its launch. */
export function useHistoryPages(baseSymbol: string, latest: ApiResponse<DeskFunding>) {
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
  return { query, prints };
}

const NONE = { pages: [] as readonly ApiResponse<DeskFunding>[] };

function listPrints(source: ApiResponse<DeskFunding>): readonly SourcedPrint[] {
  const [perpetual] = source.value.perpetuals;
  if (perpetual === undefined) return [];
  const read = withReadTime(source, perpetual.read_at);
  return perpetual.prints.map((row) => ({ row, source: read }));
}
