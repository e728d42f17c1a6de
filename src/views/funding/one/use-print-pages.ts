import { useInfiniteQuery } from '@tanstack/react-query';
import { useDoor } from '#api/react.tsx';
import type { FundingRateData } from '#contract/funding.ts';
import type { Cursor } from '#contract/paging.ts';
import { toMillis } from '#domain/session.ts';

const ROWS_A_PAGE = 90;

/** The prints of a perpetual page by page, newest first, back to its launch. What settled since is put before them. */
export function usePrintPages(baseSymbol: string, latest: readonly FundingRateData[]) {
  const { api } = useDoor();
  const query = useInfiniteQuery({
    queryKey: ['desk/funding', 'pages', baseSymbol] as const,
    queryFn: ({ signal, pageParam }) => api.desk.funding({ base_symbol: baseSymbol, limit: ROWS_A_PAGE, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value }) => value.pagination.cursor ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const loaded = query.data?.pages.flatMap(({ value }) => value.perpetuals[0]?.prints ?? []) ?? [];
  const [newest] = loaded;
  const since = newest === undefined ? [] : latest.filter(({ interval_end }) => toMillis(interval_end) > toMillis(newest.interval_end));
  return { query, rows: [...since, ...loaded] };
}
