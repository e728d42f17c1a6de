import { useCallback, useMemo, useState } from 'react';
import type { Order } from '#contract/exchange/order.ts';
import {
  countChanges,
  createTrackedOrders,
  explainGone,
  markSeen,
  trackOrders,
  type TrackedOrders,
} from '#model/orders/tracked-orders.ts';
import {
  createWorkingRows,
  diffReadings,
  diffSince,
  type OrderReading,
} from '#model/tables/orders/create-working-rows.ts';
import type { ApiResponse, Source } from '#model/response.ts';
import { usePreferences } from '#page/kit/use-preferences.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toExpectedTime } from '#page/client/freshness.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useVenueOffset } from '#page/client/react/use-desk-status.ts';
import { DESK_ENDPOINTS, type DeskWorking } from '#contract/desk/desk.ts';
import type { ListChange } from '#contract/parse/row-diff.ts';
import { TOPICS } from '#contract/desk/topics.ts';
import { toWorkingSet } from '#model/orders/working-set.ts';
import type { PanelQuery } from '#page/panels/panel-body.tsx';
import { toDeviationText, type OrderSnapshot } from '../shared/order-snapshot.ts';
import { MARKET_SECONDS, useOrderTerms } from '../shared/use-order-terms.ts';

/** Why updates are held: the viewer paused the list, or the pointer is moving over it. */
export type HoldReason = 'paused' | 'held' | null;

export interface LiveOrders {
  readonly tracked: TrackedOrders;
  /** The snapshot on screen, older than the latest while updates are held. */
  readonly shown: WorkingSnapshot;
  /** The number of orders that the latest snapshot would add, change or remove. */
  readonly pending: number;
  readonly applyPending: () => void;
  readonly markAllSeen: () => void;
  /** Adds outcomes from the order history to orders that are no longer working. */
  readonly explain: (history: readonly Order[], source: Source) => void;
}

type LiveState = Pick<LiveOrders, 'tracked' | 'shown'>;

/** Applies each snapshot on arrival. While held, applies only those without changes. */
export function useLiveOrders(latest: WorkingSnapshot, held: boolean): LiveOrders {
  const [toRows] = useState(createWorkingRows);
  const [{ tracked, shown }, setLive] = useState<LiveState>(() => ({
    tracked: createTrackedOrders(toRows(latest.reading).rows),
    shown: latest,
  }));
  const { goneOrders } = usePreferences();
  const keepMs = goneOrders === 'seen' ? Infinity : Number(goneOrders) * 1_000;
  const pending = useMemo(
    () =>
      held && latest !== shown
        ? countChanges(tracked, { diff: diffReadings(shown.reading, latest.reading), ...toUpdate(latest, keepMs) })
        : 0,
    [held, latest, shown, tracked, keepMs],
  );
  const applyPending = (): void => {
    const next = toRows(latest.reading);
    const update = { diff: diffSince(tracked.rows, next), ...toUpdate(latest, keepMs) };
    setLive({ tracked: trackOrders(tracked, next.rows, update), shown: latest });
  };
  if (latest !== shown && pending === 0) applyPending();
  return {
    tracked,
    shown,
    pending,
    applyPending,
    markAllSeen: () => {
      setLive({ tracked: markSeen(tracked), shown });
    },
    explain: (history, source) => {
      setLive((live) => ({ ...live, tracked: explainGone(live.tracked, history, source) }));
    },
  };
}

function toUpdate({ completeness: { complete }, receivedAt: at }: WorkingSnapshot, keepMs: number) {
  return { complete, at, keepMs };
}

/** The latest reading of working orders. */
export interface WorkingSnapshot extends OrderSnapshot {
  readonly reading: OrderReading;
  /**
   * How often each order is read. Polling is as frequent as the stream, since a page polls once its response is no
   * longer fresh.
   */
  readonly everySeconds: number;
}

export interface WorkingReading {
  readonly query: PanelQuery<WorkingSnapshot>;
  /** Epoch milliseconds of the next automatic read; Infinity if there is none. */
  readonly dueAt: number;
}

export function useWorking(): WorkingReading {
  const { queries } = useApi();
  const working = useQuery(queries.desk.working({}));
  const response = working.data;
  const offsetMs = useVenueOffset();
  const { termsOf, isCheckLimited } = useOrderTerms(response !== undefined, MARKET_SECONDS);
  const set = useMemo(
    () => response && toWorkingSet(response.value, response.setAside.length, countDistinct(response)),
    [response],
  );
  const data = useMemo((): WorkingSnapshot | undefined => {
    if (response === undefined || set === undefined || termsOf === null) return undefined;
    const { endpoint, deviations, receivedAt, ageSeconds, freshSeconds, cache, staleBecause, cadence } = response;
    const change = response.change as ListChange<Order> | undefined;
    return {
      reading: { orders: set.orders, change, source: response, parts: response.value.parts, termsOf, offsetMs },
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
  }, [response, set, termsOf, isCheckLimited, offsetMs]);
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

/**
 * Returns the number of distinct orders if it is known without counting: pushed changes are keyed by id, so no two
 * rows share one.
 */
function countDistinct({ change, value }: ApiResponse<DeskWorking>): number | undefined {
  return change === undefined ? undefined : value.orders.length;
}

/**
 * Returns a refresh on behalf of a waiting person, which may use the part of the budget reserved for people. Automatic
 * refreshes may not.
 */
function useReadNow(): () => Promise<void> {
  const { queries } = useApi();
  const client = useQueryClient();
  return useCallback(async () => {
    const query = { ...queries.desk.working({}, { purpose: 'interactive' }), staleTime: 0 };
    // Cancels an automatic refresh that is still queued, which this one would otherwise join.
    await client.cancelQueries({ queryKey: query.queryKey });
    // The list observes the same query and shows a failure.
    await client.query(query).catch(() => undefined);
  }, [client, queries]);
}
