import type { Query, QueryKey } from '@tanstack/react-query';
import type { Answer } from './answer.ts';
import { isDue, toFreshMillis, toRefetchInterval, type Pace } from './freshness.ts';

/**
 * The one place that decides when the page asks again: when the gateway's answer has had its time, while somebody looks.
 * A stream would replace this, and nothing else.
 */
export function refreshedAtPace<Data extends Answer<unknown>, Key extends QueryKey>(pace: Pace, now: () => number) {
  type Asked = Query<Data, Error, Data, Key>;
  const isDueNow = ({ state }: Asked): boolean => isDue(state, pace, now());
  return {
    staleTime: ({ state }: Asked): number => (state.data === undefined ? 0 : toFreshMillis(state.data, pace)),
    refetchInterval: ({ state }: Asked): number | false => toRefetchInterval(state, pace, now()),
    refetchOnMount: isDueNow,
    refetchOnWindowFocus: isDueNow,
    refetchOnReconnect: isDueNow,
    retryOnMount: isDueNow,
  };
}

/** For pages of a list: each costs a request, so none is read again unless somebody asks. */
export const askedForOnce = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
