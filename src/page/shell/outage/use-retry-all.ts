import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isStale } from '#page/client/create-query-client.ts';
import type { OutageKind } from '#page/client/outage.ts';
import { useApi } from '#page/client/react/use-api.tsx';

/** Reads again whatever on the screen failed or is stale, then the status. */
export function useRetryAll() {
  const client = useQueryClient();
  const { queries } = useApi();
  const [isRetrying, setRetrying] = useState(false);
  const retry = async (): Promise<void> => {
    setRetrying(true);
    await readMissed(client);
    await client.refetchQueries({ queryKey: queries.desk.status({}).queryKey });
    setRetrying(false);
  };
  return { retry, isRetrying };
}

/** What is on the screen and failed, or is stale. */
function readMissed(client: QueryClient): Promise<void> {
  return client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.error !== null || isStale(state.data),
  });
}

/** At the end, whatever failed meanwhile is read again at once. A spent budget comes back request by request: then the screens wait for their turn. */
export function useRetryAtEnd(kind: OutageKind): void {
  const client = useQueryClient();
  const last = useRef(kind);
  useEffect(() => {
    last.current = kind;
  }, [kind]);
  useEffect(
    () => () => {
      if (last.current !== 'rate-limited') void readMissed(client);
    },
    [client],
  );
}

/** Any success may be the end of the outage: the status is read at once, not after its next poll. */
export function useEndAtFirstSuccess(): void {
  const client = useQueryClient();
  const { queries } = useApi();
  useEffect(() => {
    const { queryKey } = queries.desk.status({});
    return client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      const {
        queryKey: [name],
        state,
      } = event.query as Query;
      if (name !== queryKey[0] && !isStale(state.data))
        void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    });
  }, [client, queries]);
}

/** Whether the screen shows anything that the exchange sent. */
export function useDataCheck(): () => boolean {
  const client = useQueryClient();
  const { queries } = useApi();
  const [statusName] = queries.desk.status({}).queryKey;
  return () =>
    client
      .getQueryCache()
      .getAll()
      .some((query) => query.isActive() && query.queryKey[0] !== statusName && query.state.data !== undefined);
}
