import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { READ_ONCE } from '#page/client/read-once.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { LogQuery } from './paged-panel.tsx';

interface Page {
  readonly pagination: { readonly cursor?: Cursor | null | undefined };
}

interface Log<T> {
  readonly name: string;
  /** What selects its rows. */
  readonly of: string;
  readonly read: (cursor: Cursor | null, signal: AbortSignal) => Promise<ApiResponse<T>>;
}

/** A log of Perpdesk, page by page. */
export function useLog<T extends Page>({ name, of, read }: Log<T>): LogQuery<T> {
  return useInfiniteQuery({
    queryKey: [name, of],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ value: { pagination } }) =>
      pagination.cursor === undefined || pagination.cursor === '' ? null : pagination.cursor,
    ...READ_ONCE,
  });
}
