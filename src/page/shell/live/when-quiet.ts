import type { Query, QueryClient } from '@tanstack/react-query';

/** Between two requests of a screen that is still loading there may be none for a moment. */
const QUIET_MS = 1_000;

/** A later reading of the same does not count: on a slow line there may always be one. */
function isFirst({ state }: Query): boolean {
  return state.data === undefined;
}

/**
 * Once the page has read what it shows first. A stream begins with the same data again: on a slow line, it would keep the
 * first rows from arriving.
 */
export function whenQuiet(
  client: Pick<QueryClient, 'isFetching' | 'getQueryCache'>,
  schedule: (ms: number, call: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let cancel: (() => void) | null = null;
    // The cache also says whatever else happens, such as that a screen was rendered: that must not begin the wait anew.
    const wait = (): void => {
      if (client.isFetching({ predicate: isFirst }) > 0) {
        cancel?.();
        cancel = null;
        return;
      }
      cancel ??= schedule(QUIET_MS, () => {
        unsubscribe();
        resolve();
      });
    };
    const unsubscribe = client.getQueryCache().subscribe(wait);
    wait();
  });
}
