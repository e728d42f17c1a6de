import { QueryCache, QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { NetworkError } from './errors.ts';

const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRIES = 2;

/** Caches responses in memory only: the browser stores none of them. */
export function createQueryClient({ statusKey }: { readonly statusKey: QueryKey }): QueryClient {
  const queryCache = new QueryCache();
  const client = new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        // The desk usually runs on this machine and responds without any network.
        networkMode: 'always',
        refetchIntervalInBackground: false,
        // The gateway has already retried; only requests that never reached it are retried at once.
        retry: (failures, error) => error instanceof NetworkError && failures < MAX_RETRIES,
        retryDelay: (attempt) => FIRST_RETRY_DELAY_MS * 2 ** attempt,
        // It copies rows field by field and drops their exact digits; the tag identifies an unchanged response.
        structuralSharing: false,
      },
    },
  });
  // When a screen meets a failure, the connection indicator shows it at once, not after its next poll.
  followFailures(queryCache, ({ queryKey: [name] }) => {
    if (name !== statusKey[0]) void client.invalidateQueries({ queryKey: statusKey }, { cancelRefetch: false });
  });
  // It is polled every few seconds anyway, and a missing desk is to show at once.
  client.setQueryDefaults(statusKey.slice(0, 1), { retry: false });
  return client;
}

/**
 * Calls back with each query that fails, or whose response is stale, be it polled or pushed. The query cache clears an error
 * with every new attempt. Without data, the screen would then flicker between error and loading, and announce each. So an
 * error stays until a response arrives.
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

/** An infinite query has an object of pages, of which only the last is new. */
export function isStale(response: unknown): boolean {
  const { pages, staleBecause } = (response ?? {}) as Partial<ApiResponse<unknown>> & {
    readonly pages?: readonly ApiResponse<unknown>[];
  };
  const because = pages === undefined ? staleBecause : pages.at(-1)?.staleBecause;
  return because !== undefined && because !== null;
}
