import type { Query, QueryKey } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { isDue, toFreshMillis, toPushPatience, toRefetchInterval, type RefreshPolicy } from './freshness.ts';

/** When a query reads again: once its response is due, while the page is visible; not while its responses are pushed in time. */
export function refetchOptions<Data extends ApiResponse<unknown>, Key extends QueryKey>(
  policy: RefreshPolicy,
  now: () => number,
  pushedAt: () => number,
) {
  type State = Pick<Query<Data, Error, Data, Key>, 'state'>;
  const patience = ({ state }: State): number => toPushPatience(state.data, pushedAt(), now());
  const isDueNow = (query: State): boolean => patience(query) === 0 && isDue(query.state, policy, now());
  return {
    staleTime: (query: State): number => {
      const { data } = query.state;
      if (data === undefined) return 0;
      return patience(query) > 0 ? Infinity : toFreshMillis(data, policy);
    },
    refetchInterval: (query: State): number | false => patience(query) || toRefetchInterval(query.state, policy, now()),
    refetchOnMount: isDueNow,
    refetchOnWindowFocus: isDueNow,
    refetchOnReconnect: isDueNow,
    retryOnMount: isDueNow,
  };
}

/** For pages of a list: each costs a request, so none is read again unless the user wants it. */
export const NO_REFETCH = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
