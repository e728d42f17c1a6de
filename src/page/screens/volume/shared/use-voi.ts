import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { RequestedRange } from '#model/time/date-range.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import type { ApiResponse } from '#model/response.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { checkTotal, type TotalCheck } from '#model/checks/exact-checks.ts';
import { sortByDate } from '#model/voi/voi-rows.ts';
import { joinQueries } from '#page/panels/join-queries.ts';

export interface VoiResponse extends ApiResponse<readonly VOIDataPoint[]> {
  /** The products' own responses, in the order of the products, if each has one. */
  readonly perProduct?: readonly ApiResponse<readonly VOIDataPoint[]>[];
}

/** Settled sessions do not change. */
const DAILY_SECONDS = 900;

/** Reads the exchange's own total of all the products, in one request. */
export function useTotal(
  products: readonly NamedProduct[],
  dates: RequestedRange,
  enabled: boolean,
): PanelQuery<VoiResponse> {
  const { queries } = useApi();
  const [first] = products;
  const ids = products.length === 1 && first ? first.id : products.map(({ id }) => id);
  return usePanelQuery(useQuery({ ...queries.venue.chartVoi({ product_id: ids, ...dates }), enabled }));
}

/**
 * Compares the total with the sum of its products, using the rows of all products that Markets also reads; null until
 * both are known.
 */
export function useTotalCheck(
  products: readonly NamedProduct[],
  total: VoiResponse | undefined,
  enabled: boolean,
): TotalCheck | null {
  const { queries } = useApi();
  const { data } = useQuery({ ...queries.venue.chartVoi({}, { everySeconds: DAILY_SECONDS }), enabled });
  return useMemo(
    () =>
      !enabled || total === undefined || data === undefined
        ? null
        : checkTotal(sortByDate(total.value), data.value, products),
    [enabled, total, data, products],
  );
}

/** Reads each product's own rows, one request each, and joins them into one response, which is as old as its oldest. */
export function usePerProduct(
  products: readonly NamedProduct[],
  dates: RequestedRange,
  enabled: boolean,
): PanelQuery<VoiResponse> {
  const { queries } = useApi();
  const joined = useQueries({
    queries: products.map(({ id }) => ({ ...queries.venue.chartVoi({ product_id: id, ...dates }), enabled })),
    combine: joinResponses,
  });
  return joined();
}

/**
 * Joins responses. Returns a function, because the query library copies the changed parts of an object, and copied rows
 * lose the exact digits kept beside them.
 *
 * @internal Exported for its test.
 */
export function joinResponses(
  results: readonly UseQueryResult<ApiResponse<readonly VOIDataPoint[]>>[],
): () => PanelQuery<VoiResponse> {
  const { data: oldest, ...joined } = joinQueries(results);
  const query = {
    ...joined,
    data:
      oldest &&
      join(
        oldest,
        results.flatMap(({ data }) => data ?? []),
      ),
  };
  return () => query;
}

function join(oldest: VoiResponse, responses: readonly VoiResponse[]): VoiResponse {
  return {
    ...oldest,
    perProduct: responses,
    value: responses.flatMap(({ value }) => value),
    setAside: responses.flatMap(({ setAside }) => setAside),
    deviations: responses.flatMap(({ deviations }) => deviations),
  };
}
