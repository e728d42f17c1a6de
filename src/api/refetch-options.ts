import type { Query, QueryKey } from '@tanstack/react-query';
import type { ApiResponse } from './api-response.ts';
import { isDue, toFreshMillis, toRefetchInterval, type RefreshPolicy } from './freshness.ts';

/** When a query reads again: once its response is due, while the page is visible. A stream would replace only this. */
export function refetchOptions<Data extends ApiResponse<unknown>, Key extends QueryKey>(policy: RefreshPolicy, now: () => number) {
  type State = Pick<Query<Data, Error, Data, Key>, 'state'>;
  const isDueNow = ({ state }: State): boolean => isDue(state, policy, now());
  return {
    staleTime: ({ state }: State): number => (state.data === undefined ? 0 : toFreshMillis(state.data, policy)),
    refetchInterval: ({ state }: State): number | false => toRefetchInterval(state, policy, now()),
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
