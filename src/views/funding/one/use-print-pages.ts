import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDoor } from '#api/react.tsx';
import type { Answer } from '#api/answer.ts';
import { askedForOnce } from '#api/refresh.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { FundingRateData } from '#contract/funding.ts';
import type { Cursor } from '#contract/paging.ts';
import type { Source } from '#domain/source.ts';
import { toMillis } from '#domain/session.ts';

const ROWS_A_PAGE = 90;

/** A print, and the answer it came with. */
interface ReadPrint {
  readonly row: FundingRateData;
  readonly source: Source;
}

/** The prints of a perpetual page by page, newest first, back to its launch. What settled since is put before them. */
export function usePrintPages(baseSymbol: string, latest: Answer<DeskFunding>) {
  const { api } = useDoor();
  const query = useInfiniteQuery({
    queryKey: ['desk/funding', 'pages', baseSymbol] as const,
    queryFn: ({ signal, pageParam }) => api.desk.funding({ base_symbol: baseSymbol, limit: ROWS_A_PAGE, cursor: pageParam ?? undefined }, { signal }),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value }) => value.pagination.cursor ?? null,
    ...askedForOnce,
  });
  const { pages } = query.data ?? NONE;
  const prints = useMemo(() => {
    const loaded = pages.flatMap(listPrints);
    const [newest] = loaded;
    const since = newest === undefined ? [] : listPrints(latest).filter(({ row }) => toMillis(row.interval_end) > toMillis(newest.row.interval_end));
    return [...since, ...loaded];
  }, [pages, latest]);
  return { query, prints };
}

const NONE = { pages: [] as readonly Answer<DeskFunding>[] };

function listPrints(source: Answer<DeskFunding>): readonly ReadPrint[] {
  return (source.value.perpetuals[0]?.prints ?? []).map((row) => ({ row, source }));
}
