import { useSameParts } from '../use-same-parts.ts';
import type { PanelQuery } from './panel-query.ts';

/** Of a query's result, which is another object with every drawing, what a panel needs: the same until something of it changes. */
export function usePanelQuery<T>({ data, error, errorUpdatedAt, isFetching, refetch }: PanelQuery<T>): PanelQuery<T> {
  return useSameParts({ data, error, errorUpdatedAt, isFetching, refetch });
}
