import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import type { ApiResponse } from '#model/response.ts';
import { toRequestedRange } from '#model/time/date-range.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import type { PanelQuery } from '#page/panels/panel-body.tsx';

export type PriceQuery = PanelQuery<ApiResponse<readonly PriceDataPoint[]>>;

/** Reads the daily prices of products from a day on, as their own screen does: one request each. */
export function usePriceHistories(products: readonly DeskProduct[], from: Day): readonly PriceQuery[] {
  const { queries } = useApi();
  const range = toRequestedRange({ from, to: null }, from, '1D');
  const read = useQueries({
    queries: products.map(({ product_id: id }) => queries.venue.chartPrice({ id, ...range })),
    combine,
  });
  return useMemo(() => read(), [read]);
}

/** Returns a function, because the query library copies the changed parts of an object, and copied rows lose digits. */
function combine(results: readonly UseQueryResult<ApiResponse<readonly PriceDataPoint[]>>[]) {
  const read = results.map(({ data, error, errorUpdatedAt, isFetching, refetch }): PriceQuery => ({
    ...{ data, error, errorUpdatedAt, isFetching, refetch },
  }));
  return () => read;
}
