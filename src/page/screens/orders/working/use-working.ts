import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { toExpectedTime } from '#page/client/expected-time.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-venue-time.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { TOPICS } from '#contract/desk/topics.ts';
import { createDistinctCount, toWorkingSet } from '#model/orders/working-set.ts';
import type { PanelQuery } from '#page/panels/panel-query.ts';
import { toDeviationText, type OrderSnapshot } from '../shared/order-snapshot.ts';
import { MARKET_SECONDS, useOrderTerms } from '../shared/use-order-terms.ts';
import { createWorkingRows } from '#model/tables/orders/create-working-rows.ts';

/** The newest reading, which is followed by others. */
export interface WorkingSnapshot extends OrderSnapshot {
  /** How often each order is read: by polling as often as by the stream, since a page polls once a response has ceased to be fresh. */
  readonly everySeconds: number;
}

export interface WorkingReading {
  readonly query: PanelQuery<WorkingSnapshot>;
  /** Epoch milliseconds of the next automatic read; Infinity: none. */
  readonly dueAt: number;
}

export function useWorking(): WorkingReading {
  const { queries } = useApi();
  const working = useQuery(queries.desk.working({}));
  const response = working.data;
  const offsetMs = useVenueOffset();
  const { termsOf, isCheckLimited } = useOrderTerms(response !== undefined, MARKET_SECONDS);
  const [toRows] = useState(createWorkingRows);
  const [countDistinct] = useState(createDistinctCount);
  const set = useMemo(
    () => response && toWorkingSet(response.value, response.setAside.length, countDistinct(response.value.orders)),
    [response, countDistinct],
  );
  const data = useMemo((): WorkingSnapshot | undefined => {
    if (response === undefined || set === undefined || termsOf === null) return undefined;
    const { endpoint, deviations, receivedAt, ageSeconds, freshSeconds, cache, staleBecause, cadence } = response;
    const rows = toRows(set.orders, { source: response, parts: response.value.parts, termsOf, offsetMs });
    return {
      rows,
      completeness: set.completeness,
      source: response,
      setAside: response.setAside.length,
      endpoint,
      deviations,
      deviationTexts: deviations.map(toDeviationText),
      isCheckLimited,
      everySeconds: Math.max(TOPICS['working-orders'].everySeconds, response.value.round_seconds ?? 0),
      receivedAt,
      ageSeconds,
      freshSeconds,
      cache,
      staleBecause,
      cadence,
    };
  }, [response, set, toRows, termsOf, isCheckLimited, offsetMs]);
  const { error, errorUpdatedAt, isFetching } = working;
  const refetch = useReadNow();
  return {
    query: {
      data,
      error,
      errorUpdatedAt,
      isFetching: isFetching || (response !== undefined && data === undefined),
      refetch,
    },
    dueAt: toExpectedTime({ data: response, error, errorUpdatedAt }, DESK_ENDPOINTS.working),
  };
}

/** Reads for a person who waits, so that the part of the budget that is kept for them is used; the list by itself refreshes within the rest. */
function useReadNow(): () => Promise<void> {
  const { queries } = useApi();
  const client = useQueryClient();
  return useCallback(async () => {
    const query = { ...queries.desk.working({}, { purpose: 'interactive' }), staleTime: 0 };
    // A refresh that still waits for its turn would be joined.
    await client.cancelQueries({ queryKey: query.queryKey });
    // A failure is shown by the list, which observes the same query.
    await client.query(query).catch(() => undefined);
  }, [client, queries]);
}
