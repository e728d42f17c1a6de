import type { MarketResponses } from '#model/markets/market-rows.ts';
import { type PanelQuery, type Stamp, usePanelQuery } from '#page/panels/panel-body.tsx';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { FUNDING_ROWS } from '#page/client/create-api.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useOtherRates } from '#page/client/react/use-desk-status.ts';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import { type EstimatesResult, useEstimates } from '#page/client/react/use-estimates.ts';
import type { Estimates } from '#model/funding/estimate.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { useCurrentEstimates } from '#page/panels/use-estimate.ts';
import { useByExchangeClock, useDueTimes } from '#page/panels/use-exchange-time.ts';

/** Slower than the endpoints' own pace, because each of these reads returns every product. */
const LIVE_REFRESH_SECONDS = 20;
/** Open interest and settlements change once a day. */
const DAILY_REFRESH_SECONDS = 900;

export const live = { everySeconds: LIVE_REFRESH_SECONDS };
const daily = { everySeconds: DAILY_REFRESH_SECONDS };
const LATEST = { limit: FUNDING_ROWS } as const;

export type MarketQueryName = 'products' | 'trailing' | 'voi' | 'funding' | 'data';

/** One of the requests that the list is built from. */
export interface MarketQuery {
  readonly name: MarketQueryName;
  /** What is missing if it fails. */
  readonly label: string;
  readonly query: PanelQuery<ApiResponse<unknown>>;
  /** Whether some exchanges lack this endpoint. */
  readonly optional: boolean;
}

export interface MarketState {
  /** The first query reads the products; without it there is no list. */
  readonly queries: readonly MarketQuery[];
  /** Null until the products are known. */
  readonly responses: MarketResponses | null;
  readonly estimates: Estimates;
  readonly failedEstimates: FailedEstimates;
  /** Settled rates have several pages, and only the first was read. */
  readonly isFundingTruncated: boolean;
  /** Null until the exchange's time is known. */
  readonly due: DueTimes | null;
}

type FailedEstimates = Pick<EstimatesResult, 'missingBecause' | 'retry'>;

/**
 * Reads the whole list with five requests, however many products there are, then the predicted rates of its perpetuals.
 */
export function useMarketData(): MarketState {
  const { queries } = useApi();
  const products = usePanelQuery(useQuery(queries.desk.products({})));
  const trailing = usePanelQuery(useQuery(queries.venue.trailingStatsAll({}, live)));
  const voi = usePanelQuery(useQuery(queries.venue.chartVoi({}, daily)));
  const funding = usePanelQuery(useQuery(queries.venue.fundingRates(LATEST)));
  const data = usePanelQuery(useQuery(queries.venue.productDataAll({}, live)));
  const statistics = useByExchangeClock(trailing.data);
  const sessions = useSettledSessions(voi, data);
  const otherRates = useOtherRates();
  const marketQueries = useMemo(
    () => toMarketQueries({ products, trailing, voi, funding, data }),
    [products, trailing, voi, funding, data],
  );
  const isComplete = marketQueries.every(({ query }) => query.data !== undefined || query.error !== null);
  const perpetuals = useMemo(() => (isComplete ? findPerpetuals(products.data) : NONE), [isComplete, products.data]);
  const failedEstimates = useEstimates(perpetuals);
  const due = useDueTimes();
  const estimates = useCurrentEstimates(failedEstimates.estimates, due);
  const isInGracePeriod = useGracePeriod(products.data !== undefined);
  const isShown = isComplete || !isInGracePeriod;
  const responses = useMemo(
    () =>
      isShown && products.data !== undefined
        ? {
            products: products.data,
            trailing: statistics,
            voi: voi.data,
            funding: funding.data,
            data: data.data,
            sessions,
            otherRates,
          }
        : null,
    [isShown, products.data, statistics, voi.data, funding.data, data.data, sessions, otherRates],
  );
  const isFundingTruncated = Boolean(funding.data?.value.pagination.cursor);
  // The object stays the same until new data arrive, so that the list is not drawn unnecessarily.
  return useMemo(
    () => ({ queries: marketQueries, responses, estimates, failedEstimates, isFundingTruncated, due }),
    [marketQueries, responses, estimates, failedEstimates, isFundingTruncated, due],
  );
}

type QueryByName = Readonly<Record<MarketQueryName, MarketQuery['query']>>;

function toMarketQueries({ products, trailing, voi, funding, data }: QueryByName): readonly MarketQuery[] {
  return [
    { name: 'products', label: 'Products', query: products, optional: false },
    { name: 'trailing', label: '24 h volume', query: trailing, optional: false },
    { name: 'voi', label: 'Open interest and settlements', query: voi, optional: false },
    { name: 'funding', label: 'Funding rates', query: funding, optional: false },
    { name: 'data', label: 'Last prices', query: data, optional: true },
  ];
}

const NONE: readonly string[] = [];

function findPerpetuals(products: MarketResponses['products'] | undefined): readonly string[] {
  const trading = products?.value.products.filter(
    ({ type, product_status: status }) => type === 'perpetual' && (status ?? 'active') === 'active',
  );
  return trading?.flatMap(({ base_symbol: symbol }) => symbol ?? []) ?? NONE;
}

const GRACE_PERIOD_MS = 400;

/**
 * Returns true for a moment after the first response. The others usually arrive within it, so that the list is drawn
 * once.
 */
function useGracePeriod(hasBegun: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!hasBegun) return undefined;
    const timer = setTimeout(() => {
      setOver(true);
    }, GRACE_PERIOD_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [hasBegun]);
  return !isOver;
}

export interface MarketData extends Stamp {
  readonly responses: MarketResponses;
  /** How often the response that determines the age is read. */
  readonly everySeconds: number;
}

/**
 * Combines all requests into one query. It is as old as its live data, and fails if a request fails that succeeded
 * before.
 */
export function toPanelQuery({ queries, responses }: MarketState, refetch: () => unknown): PanelQuery<MarketData> {
  const failed = queries.filter(({ query }) => query.error !== null);
  const cause =
    responses === null
      ? failed.find((query) => query === queries[0])
      : failed.find(({ query }) => query.data !== undefined);
  return {
    data: responses === null ? undefined : { ...toStamp(queries, responses), responses },
    error: cause?.query.error ?? null,
    errorUpdatedAt: cause?.query.errorUpdatedAt ?? 0,
    isFetching: queries.some(({ query }) => query.isFetching),
    refetch,
  };
}

/** Live data determine the age. Without them, daily data do, which become stale later. */
function toStamp(queries: readonly MarketQuery[], responses: MarketResponses): Omit<MarketData, 'responses'> {
  const known = queries.flatMap(({ query }) => query.data ?? []);
  const [products, ...rest] = known;
  const live = known.find(({ endpoint }) => endpoint === (responses.trailing ?? responses.data)?.endpoint);
  const shown = live ?? rest[0] ?? products;
  const stale = known.find(({ staleBecause }) => staleBecause !== null);
  const { receivedAt = 0, ageSeconds = null, freshSeconds = null, cache = 'unknown', cadence } = shown ?? {};
  const everySeconds = live === undefined ? DAILY_REFRESH_SECONDS : LIVE_REFRESH_SECONDS;
  return {
    everySeconds,
    receivedAt,
    ageSeconds,
    freshSeconds,
    cache: stale ? 'stale' : cache,
    staleBecause: stale?.staleBecause ?? null,
    cadence,
  };
}

/**
 * Returns the requests that never succeeded, with their errors. An optional endpoint that the exchange does not have is
 * not reported.
 */
export function findFailed(
  queries: readonly MarketQuery[],
  isRefused: (error: Error) => boolean,
): readonly (MarketQuery & { readonly error: Error })[] {
  return queries.flatMap((query) => {
    const { data, error } = query.query;
    if (data !== undefined || error === null || (query.optional && isRefused(error))) return [];
    return [{ ...query, error }];
  });
}
