import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { toRoundedOffset, toVenueTime } from '../venue-time.ts';
import { useApi } from './use-api.tsx';

/** Converts the browser's time to the venue's, by the status that the connection indicator keeps current. */
export function useVenueTime(): (browserNow: number) => number {
  const client = useQueryClient();
  const { queries } = useApi();
  return useCallback(
    (browserNow) => toVenueTime(client.getQueryData(queries.desk.status({}).queryKey), browserNow),
    [client, queries],
  );
}

/** The same, but null as long as the venue's time is unknown. */
export function useKnownVenueTime(): (browserNow: number) => number | null {
  const client = useQueryClient();
  const { queries } = useApi();
  return useCallback(
    (browserNow) => {
      const status = client.getQueryData(queries.desk.status({}).queryKey);
      return status === undefined ? null : toVenueTime(status, browserNow);
    },
    [client, queries],
  );
}

/** How far the venue's clock is ahead of the desk's, in milliseconds, rounded to a second. */
export function useVenueOffset(): number {
  const { queries } = useApi();
  return useQuery({ ...queries.desk.status({}), select: toRoundedOffset }).data ?? 0;
}
