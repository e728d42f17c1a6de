import type { ApiResponse } from '#model/response.ts';
import type { DeskJournalChanges, OrderChange } from '#contract/desk/journal.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { READ_ONCE } from '#page/client/freshness.ts';
import type { Instant } from '#contract/exchange/instant.ts';

/** @internal Exported for its test. */
export type ChangesResponse = ApiResponse<DeskJournalChanges>;

/** With more new changes than this, the list starts over instead. */
const MOST = 1_000;

interface NewerRequest {
  readonly order: 'asc';
  readonly limit: number;
  readonly cursor?: Cursor;
}

/**
 * Reads the changes after the newest one in a list, oldest first, so that anything left unread is newer than
 * everything shown.
 * @internal Exported for its test.
 */
export async function readNewer(
  read: (request: NewerRequest) => Promise<ChangesResponse>,
): Promise<readonly ChangesResponse[]> {
  const pages: ChangesResponse[] = [];
  let count = 0;
  for (let cursor: Cursor | null | undefined; ;) {
    const page = await read({ order: 'asc', limit: MOST, ...(cursor && { cursor }) });
    pages.push(page);
    count += page.value.changes.length;
    cursor = page.value.pagination.cursor;
    // A short page does not mean the end.
    if (!cursor || count >= MOST) return pages;
  }
}

/** A change with the response that contained it. */
export interface ListedChange {
  readonly key: string;
  readonly change: OrderChange;
  readonly source: ChangesResponse;
}

export interface ChangeList {
  readonly changes: readonly ListedChange[];
  /** The number of newer changes held back while the viewer has scrolled down. */
  readonly waiting: number;
  /** Whether there are more new changes than were read. */
  readonly hasMoreNewer: boolean;
  readonly hasOlder: boolean;
  readonly isReading: boolean;
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly failedAt: number;
  readonly readOlder: () => void;
  /** Starts the list over with the newest change. */
  readonly restart: () => void;
  /** Holds newer changes back while the viewer has scrolled down. */
  readonly hold: (isHeld: boolean) => void;
}

const PAGE = 200;

interface Reach {
  /** The journal's latest reading. Until there is another, there can be no new changes. */
  readonly readTo: Instant | null;
  /** The current end of the period; a relative end moves with the clock. */
  readonly end: Instant | undefined;
}

export function useChanges(request: DeskRequestOf<'journalChanges'>, { readTo, end }: Reach): ChangeList {
  const { api } = useApi();
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const pages = useInfiniteQuery<
    ChangesResponse,
    Error,
    InfiniteData<ChangesResponse>,
    readonly unknown[],
    string | null
  >({
    queryKey: ['changes of activity', request],
    queryFn: ({ pageParam, signal }) =>
      api.desk.journalChanges(
        { ...request, limit: PAGE, ...(pageParam !== null && { cursor: pageParam as never }) },
        { signal, purpose: 'interactive' },
      ),
    initialPageParam: null,
    getNextPageParam: ({ value }) => value.pagination.cursor ?? null,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Loaded pages never change. A later page that failed is read again only on request.
    refetchInterval: (query) => query.state.data === undefined && READ_ONCE.refetchInterval(query),
  });
  const older = useMemo(() => toListed(pages.data?.pages ?? []), [pages.data]);
  // New changes are read only once the first page has arrived, since they follow it.
  const since = pages.data === undefined ? undefined : (older[0]?.change.read_by ?? request.begin_time);
  const newer = useQuery({
    queryKey: ['newer changes of activity', request, since, readTo, end],
    queryFn: ({ signal }) =>
      readNewer((page) =>
        api.desk.journalChanges(
          {
            ...request,
            ...(since !== undefined && { begin_time: since }),
            ...(end !== undefined && { end_time: end }),
            ...page,
          },
          { signal },
        ),
      ),
    enabled: pages.data !== undefined && readTo !== null,
    staleTime: Infinity,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === request && query.queryKey[2] === since ? previous : undefined,
  });
  const ahead = useMemo(() => {
    const known = new Set(older.map(({ key }) => key));
    return toListed(newer.data ?? [])
      .filter(({ key }) => !known.has(key))
      .reverse();
  }, [newer.data, older]);
  const shown = heldAt === null ? ahead : ahead.slice(Math.max(0, ahead.length - heldAt));
  const changes = useMemo(() => [...shown, ...older], [shown, older]);
  const hasMoreNewer = Boolean(newer.data?.at(-1)?.value.pagination.cursor);
  const isLeftBehind = hasMoreNewer && heldAt === null;
  const beginAnew = useEffectEvent(() => void pages.refetch());
  useEffect(() => {
    if (isLeftBehind) beginAnew();
  }, [isLeftBehind]);
  const failure = pages.error ?? newer.error;
  return {
    changes,
    waiting: ahead.length - shown.length,
    hasMoreNewer,
    hasOlder: pages.hasNextPage,
    isReading: pages.isFetching,
    isRead: pages.data !== undefined,
    error: failure,
    failedAt: Math.max(pages.errorUpdatedAt, newer.errorUpdatedAt),
    readOlder: () => {
      if (pages.hasNextPage && !pages.isFetching && pages.error === null) void pages.fetchNextPage();
    },
    restart: () => {
      setHeldAt(null);
      if (pages.data !== undefined && pages.isFetchNextPageError) void pages.fetchNextPage();
      else void pages.refetch();
    },
    hold: (isHeld) => {
      setHeldAt((before) => (isHeld ? (before ?? ahead.length) : null));
    },
  };
}

function toListed(pages: readonly ChangesResponse[]): readonly ListedChange[] {
  return pages.flatMap((source) =>
    source.value.changes.map((change) => ({
      key: `${change.read_by} ${change.kind} ${change.order_id}`,
      change,
      source,
    })),
  );
}
