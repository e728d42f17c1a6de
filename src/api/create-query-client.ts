import { QueryCache, QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import type { Answer } from './answer.ts';
import { NetworkError } from './errors.ts';

const FIRST_PAUSE_MS = 1_000;
const MOST_RETRIES = 2;

/** Holds what the page has read, in memory only: nothing of it is kept in the browser. */
export function createQueryClient({ statusKey }: { readonly statusKey: QueryKey }): QueryClient {
  // What one screen hears of trouble, the mark at the top is to tell in the same moment, not at its own next turn.
  const readStatus = ({ queryKey: [name] }: { readonly queryKey: QueryKey }): void => {
    if (name !== statusKey[0]) void client.invalidateQueries({ queryKey: statusKey }, { cancelRefetch: false });
  };
  const queryCache = new QueryCache({
    onError: (_error, query) => {
      readStatus(query);
    },
    onSuccess: (answer, query) => {
      if (isOldForTrouble(answer)) readStatus(query);
    },
  });
  keepErrors(queryCache);
  const client = new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        // The desk is usually this machine: it answers without any network.
        networkMode: 'always',
        refetchIntervalInBackground: false,
        // The gateway has retried already; only what never reached it is tried again at once.
        retry: (failures, error) => error instanceof NetworkError && failures < MOST_RETRIES,
        retryDelay: (attempt) => FIRST_PAUSE_MS * 2 ** attempt,
        // Copies rows field by field and loses the digits that they keep beside; the same answer is known by its tag.
        structuralSharing: false,
      },
    },
  });
  // Its next turn comes soon; until then nothing but its answer says that the desk is there.
  client.setQueryDefaults(statusKey.slice(0, 1), { retry: false });
  return client;
}

/**
 * What never came and is asked for again has failed until it comes. The cache forgets the failure with every question, and
 * the screen would flicker between its failure and its beginning, and tell each anew.
 */
function keepErrors(cache: QueryCache): void {
  const errors = new WeakMap<Query, Error>();
  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action } = event;
    const query = event.query as Query;
    const error = errors.get(query);
    if (action.type === 'error' && query.state.error !== null) errors.set(query, query.state.error);
    else if (action.type === 'success') errors.delete(query);
    else if (action.type === 'fetch' && query.state.data === undefined && error !== undefined) query.setState({ error, status: 'error' });
  });
}

/** Pages of a list come as an object of pages, of which only the last is new. */
function isOldForTrouble(answer: unknown): boolean {
  const { pages, staleBecause } = answer as Partial<Answer<unknown>> & { readonly pages?: readonly Answer<unknown>[] };
  const because = pages === undefined ? staleBecause : pages.at(-1)?.staleBecause;
  return because !== undefined && because !== null;
}
