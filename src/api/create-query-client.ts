import { QueryClient } from '@tanstack/react-query';
import { NetworkError } from './errors.ts';

const FIRST_PAUSE_MS = 1_000;
const MOST_RETRIES = 2;

/** Holds what the page has read, in memory only: nothing of it is kept in the browser. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
}
