import type { QueryClient } from '@tanstack/react-query';

/** Between two requests of a screen that is still loading there may be none for a moment. */
const QUIET_MS = 1_000;

/**
 * Once the page has read what it shows first. A stream begins with the same data again: on a slow line, it would keep the
 * first rows from arriving.
 */
export function whenQuiet(client: Pick<QueryClient, 'isFetching' | 'getQueryCache'>, schedule: (ms: number, call: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    const wait = (): void => {
      cancel();
      if (client.isFetching() > 0) return;
      cancel = schedule(QUIET_MS, () => {
        unsubscribe();
        resolve();
      });
    };
    const unsubscribe = client.getQueryCache().subscribe(wait);
    wait();
  });
}
