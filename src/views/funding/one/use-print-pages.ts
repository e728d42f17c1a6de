import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDoor } from '#api/react.tsx';
import type { Answer } from '#api/answer.ts';
import { askedForOnce } from '#api/refresh.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { Cursor } from '#contract/paging.ts';
import { withLatest, type ReadPrint } from './with-latest.ts';

const ROWS_A_PAGE = 90;

/** The prints of a perpetual page by page, newest first, back to its launch, as the latest answer has them. */
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
  const prints = useMemo(() => withLatest(pages.flatMap(listPrints), listPrints(latest)), [pages, latest]);
  return { query, prints };
}

const NONE = { pages: [] as readonly Answer<DeskFunding>[] };

function listPrints(source: Answer<DeskFunding>): readonly ReadPrint[] {
  return (source.value.perpetuals[0]?.prints ?? []).map((row) => ({ row, source }));
}
