import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useDoor } from './react.tsx';
import { toVenueTime, toWholeAhead } from './venue-time.ts';

/** Tells the venue's time at a moment of this browser's clock. The shell keeps the status that it is told by. */
export function useVenueTime(): (browserNow: number) => number {
  const client = useQueryClient();
  const { queries } = useDoor();
  return useCallback((browserNow) => toVenueTime(client.getQueryData(queries.desk.status({}).queryKey), browserNow), [client, queries]);
}

/** How far the venue's clock is ahead of the desk's, in whole seconds of milliseconds. */
export function useVenueAhead(): number {
  const { queries } = useDoor();
  return useQuery({ ...queries.desk.status({}), select: toWholeAhead }).data ?? 0;
}
