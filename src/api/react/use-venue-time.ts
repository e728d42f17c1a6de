import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { toRoundedOffset, toVenueTime } from '../venue-time.ts';
import { useApi } from './use-api.tsx';

/** Converts the browser's time to the venue's, by the status that the connection indicator keeps current. */
export function useVenueTime(): (browserNow: number) => number {
  const client = useQueryClient();
  const { queries } = useApi();
  return useCallback((browserNow) => toVenueTime(client.getQueryData(queries.desk.status({}).queryKey), browserNow), [client, queries]);
}

/** How far the venue's clock is ahead of the desk's, in milliseconds, rounded to a second. */
export function useVenueOffset(): number {
  const { queries } = useApi();
  return useQuery({ ...queries.desk.status({}), select: toRoundedOffset }).data ?? 0;
}
