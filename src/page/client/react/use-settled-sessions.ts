import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ProductData } from '#contract/exchange/product.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findCheckedSessions } from '#model/checks/price-evidence.ts';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from './use-api.tsx';

/** A settled session does not change, except by a correction, which is seen within this time. */
const DAILY = { everySeconds: 900 } as const;

type DataResponse = ApiResponse<readonly ProductData[]>;

interface Reading<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

/**
 * Returns product data of the settled sessions that prices are checked against. Null until they have been read; empty
 * if the exchange does not offer product data.
 */
export function useSettledSessions(
  voi: Reading<ApiResponse<readonly VOIDataPoint[]>>,
  data: Reading<DataResponse>,
): readonly (readonly ProductData[])[] | null {
  const { queries } = useApi();
  const sessions = useMemo(
    () => findCheckedSessions(voi.data?.value ?? NONE, data.data?.value ?? NONE),
    [voi.data, data.data],
  );
  const isKnown = isDone(voi) && isDone(data);
  const wanted = isKnown && data.data !== undefined ? sessions : NONE;
  const read = useQueries({ queries: wanted.map((day) => queries.venue.productDataAll({ day }, DAILY)), combine });
  return isKnown ? read : null;
}

const NONE: readonly never[] = [];

function isDone({ data, error }: Reading<unknown>): boolean {
  return data !== undefined || error !== null;
}

/** Omits sessions that cannot be read. */
function combine(results: readonly UseQueryResult<DataResponse>[]): readonly (readonly ProductData[])[] | null {
  return results.every(isDone) ? results.flatMap(({ data }) => (data === undefined ? [] : [data.value])) : null;
}
