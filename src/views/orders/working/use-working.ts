import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { toDueTime } from '#api/freshness.ts';
import { useApi } from '#api/react/use-api.tsx';
import { useVenueOffset } from '#api/react/use-venue-time.ts';
import { DESK_ENDPOINTS } from '#contract/desk.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { toWorkingSet, type CompletenessCheck } from '#domain/orders/working-set.ts';
import type { Source } from '#domain/source.ts';
import type { PanelQuery, Stamp } from '#panels/panel-query.ts';
import { MARKET_SECONDS, useOrderTerms } from '../use-order-terms.ts';
import { createWorkingRows } from './create-working-rows.ts';

/** All working orders at one reading. */
export interface WorkingSnapshot extends Stamp {
  /** Newest first. */
  readonly rows: readonly OrderRow[];
  readonly completeness: CompletenessCheck;
  readonly source: Source;
  /** How many rows failed validation. */
  readonly setAside: number;
  /** Where the response differed from the interface, a sentence each. */
  readonly deviationTexts: readonly string[];
  /** Whether some tick sizes may be unchecked. */
  readonly isCheckLimited: boolean;
  /** How often each order is read. */
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
  const set = useMemo(() => response && toWorkingSet(response.value, response.setAside.length), [response]);
  const data = useMemo((): WorkingSnapshot | undefined => {
    if (response === undefined || set === undefined || termsOf === null) return undefined;
    const { endpoint, deviations, receivedAt, ageSeconds, freshSeconds, cache, staleBecause, cadence } = response;
    const rows = toRows(set.orders, { source: response, parts: response.value.parts, termsOf, offsetMs });
    return { rows, completeness: set.completeness, source: response, setAside: response.setAside.length, endpoint, deviations, deviationTexts: deviations.map(toSentence), isCheckLimited, everySeconds: Math.max(DESK_ENDPOINTS.working.reuseSeconds, response.value.round_seconds ?? 0), receivedAt, ageSeconds, freshSeconds, cache, staleBecause, cadence };
  }, [response, set, toRows, termsOf, isCheckLimited, offsetMs]);
  const { error, errorUpdatedAt, isFetching } = working;
  const refetch = useReadNow();
  return {
    query: { data, error, errorUpdatedAt, isFetching: isFetching || (response !== undefined && data === undefined), refetch },
    dueAt: toDueTime({ data: response, error, errorUpdatedAt }, DESK_ENDPOINTS.working),
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

interface Deviation {
  readonly count: number;
  readonly place: string;
  readonly expected: string;
  readonly found: string;
}

function toSentence({ count, place, expected, found }: Deviation): string {
  return `${place}: expected ${expected}, found ${found}${count > 1 ? ` (${String(count)} times)` : ''}.`;
}
