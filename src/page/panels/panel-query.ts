import type { ApiResponse } from '#model/response.ts';
import { useShallowStable } from '#page/kit/use-stable.ts';

/** The endpoint of a response, and how the response differs from the interface. */
export type Checked = Pick<ApiResponse<unknown>, 'endpoint' | 'deviations'>;

/** How old the data on screen are, by the response they were read from. */
export type Stamp = Partial<Checked> &
  Pick<ApiResponse<unknown>, 'receivedAt' | 'ageSeconds' | 'freshSeconds' | 'cache' | 'staleBecause' | 'cadence'>;

/** What a panel needs of a query: its last data, and what went wrong since. */
export interface PanelQuery<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly errorUpdatedAt: number;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/** A query's result is a new object at every render; this one stays the same until something a panel needs changes. */
export function usePanelQuery<T>({ data, error, errorUpdatedAt, isFetching, refetch }: PanelQuery<T>): PanelQuery<T> {
  return useShallowStable({ data, error, errorUpdatedAt, isFetching, refetch });
}
