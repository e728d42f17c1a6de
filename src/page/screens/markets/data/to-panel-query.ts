import type { MarketResponses } from '#model/markets/market-rows.ts';
import type { PanelQuery, Stamp } from '#page/panels/panel-query.ts';
import { DAILY_REFRESH_SECONDS, LIVE_REFRESH_SECONDS, type MarketQuery, type MarketState } from './use-market-data.ts';

export interface MarketData extends Stamp {
  readonly responses: MarketResponses;
  /** How often the response that gives the age is read. */
  readonly everySeconds: number;
}

/** All requests as one query: as old as its live data, and failed where a request fails that had succeeded before. */
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

/** Live data give the age; without them daily data do, which become stale later. */
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

/** Requests that never succeeded, with their errors; an optional endpoint that the exchange does not have is not missed. */
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
