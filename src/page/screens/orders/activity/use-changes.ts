import { useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { READ_ONCE } from '#page/client/read-once.ts';
import type { OrderChange } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { readNewer, type ChangesResponse } from './read-newer.ts';

/** A change, and the response that it came with. */
export interface ListedChange {
  readonly key: string;
  readonly change: OrderChange;
  readonly source: ChangesResponse;
}

export interface ChangeList {
  readonly changes: readonly ListedChange[];
  /** Newer ones that are not shown while the reader is further down. */
  readonly waiting: number;
  /** There are more newer ones than were read. */
  readonly hasMoreNewer: boolean;
  readonly hasOlder: boolean;
  readonly isReading: boolean;
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly failedAt: number;
  readonly readOlder: () => void;
  /** Begins anew with the newest. */
  readonly restart: () => void;
  /** Whether the reader is further down. */
  readonly hold: (isHeld: boolean) => void;
}

const PAGE = 200;

interface Reach {
  /** The last reading of the journal; only another one can show more. */
  readonly readTo: Instant | null;
  /** Where the time ends by now: an end that is counted back from now moves on. */
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
    // Pages that are there stay; a further one that failed is read when the reader wants it.
    refetchInterval: (query) => query.state.data === undefined && READ_ONCE.refetchInterval(query),
  });
  const older = useMemo(() => toListed(pages.data?.pages ?? []), [pages.data]);
  // Once the first page is there, and not before: what it lacks is newer.
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
