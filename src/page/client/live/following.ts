import type { Query, QueryCache } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import type { RawResponse } from '../http-client.ts';
import type { FollowedTopic } from './protocol.ts';

/** How a query receives what its topic pushes. */
export interface LiveMeta {
  readonly topic: FollowedTopic;
  readonly read: (received: RawResponse, previous?: ApiResponse<unknown>) => ApiResponse<unknown>;
}

type LiveQuery = Query<ApiResponse<unknown>>;

export interface FollowedQuery {
  readonly query: LiveQuery;
  readonly live: LiveMeta;
}

export interface FollowingParts {
  readonly cache: QueryCache;
  readonly isHidden: () => boolean;
  readonly onVisibility: (listener: () => void) => void;
  readonly onChange: (gone: readonly string[]) => void;
}

/** The topics of the queries that are on screen; while the page is hidden, only of those that are read in the background. */
export function followScreen({
  cache,
  isHidden,
  onVisibility,
  onChange,
}: FollowingParts): ReadonlyMap<string, FollowedQuery> {
  const followed = new Map<string, FollowedQuery>();
  let isScheduled = false;

  const update = (): void => {
    isScheduled = false;
    const wanted = findOnScreen(cache.getAll() as readonly LiveQuery[], isHidden());
    const gone = [...followed.keys()].filter((address) => !wanted.has(address));
    const isSame = gone.length === 0 && wanted.size === followed.size;
    for (const address of gone) followed.delete(address);
    for (const [address, each] of wanted) followed.set(address, each);
    if (!isSame) onChange(gone);
  };

  const schedule = (): void => {
    if (!isScheduled) queueMicrotask(update);
    isScheduled = true;
  };

  cache.subscribe(({ type }) => {
    if (CHANGES_SCREEN.has(type)) schedule();
  });
  onVisibility(schedule);
  return followed;
}

const CHANGES_SCREEN: ReadonlySet<string> = new Set([
  'observerAdded',
  'observerRemoved',
  'observerOptionsUpdated',
  'removed',
]);

function findOnScreen(queries: readonly LiveQuery[], isHidden: boolean): Map<string, FollowedQuery> {
  const found = new Map<string, FollowedQuery>();
  for (const query of queries) {
    const shown = query.observers.filter(
      ({ options }) => options.enabled !== false && (!isHidden || options.refetchIntervalInBackground === true),
    );
    const live = shown.map(({ options }) => toMeta(options.meta)).find((meta) => meta !== null);
    if (live !== undefined) found.set(live.topic.address, { query, live });
  }
  return found;
}

function toMeta(meta: Readonly<Record<string, unknown>> | undefined): LiveMeta | null {
  return (meta?.['live'] as LiveMeta | undefined) ?? null;
}
