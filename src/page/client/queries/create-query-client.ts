import { QueryCache, QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { NetworkError } from '../errors.ts';

const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRIES = 2;

/** Caches responses in memory only: the browser stores none of them. */
export function createQueryClient({ statusKey }: { readonly statusKey: QueryKey }): QueryClient {
  const queryCache = new QueryCache();
  const client = new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        // Perpdesk usually runs on this machine, so it can respond even while the browser is offline.
        networkMode: 'always',
        refetchIntervalInBackground: false,
        // The server has already retried. Only requests that never reached it are worth retrying at once.
        retry: (failures, error) => error instanceof NetworkError && failures < MAX_RETRIES,
        retryDelay: (attempt) => FIRST_RETRY_DELAY_MS * 2 ** attempt,
        // Structural sharing copies rows field by field and loses their exact digits. The tag identifies an unchanged
        // response instead.
        structuralSharing: false,
      },
    },
  });
  // After a failure on any screen, the connection indicator updates at once rather than at its next poll.
  followFailures(queryCache, ({ queryKey: [name] }) => {
    if (name !== statusKey[0]) void client.invalidateQueries({ queryKey: statusKey }, { cancelRefetch: false });
  });
  // The status is polled every few seconds anyway, and an unreachable server must show at once.
  client.setQueryDefaults(statusKey.slice(0, 1), { retry: false });
  return client;
}

/**
 * Calls back with each query that fails, or whose response is stale, whether polled or pushed. An error is kept until a
 * response arrives: the query cache clears it with every new attempt, so a screen without data would flicker between
 * error and loading, and announce both each time.
 */
function followFailures(cache: QueryCache, onFailure: (query: Query) => void): void {
  const errors = new WeakMap<Query, Error>();
  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const query = event.query as Query;
    const { error, data } = query.state;
    const known = errors.get(query);
    if (event.action.type === 'success') {
      errors.delete(query);
      if (isStale(data)) onFailure(query);
    } else if (error !== null && error !== known) {
      errors.set(query, error);
      onFailure(query);
    } else if (event.action.type === 'fetch' && data === undefined && known !== undefined) {
      query.setState({ error: known, status: 'error' });
    }
  });
}

/** Returns whether a response is stale. An infinite query holds an object of pages, of which only the last is new. */
export function isStale(response: unknown): boolean {
  const { pages, staleBecause } = (response ?? {}) as Partial<ApiResponse<unknown>> & {
    readonly pages?: readonly ApiResponse<unknown>[];
  };
  const because = pages === undefined ? staleBecause : pages.at(-1)?.staleBecause;
  return because !== undefined && because !== null;
}
