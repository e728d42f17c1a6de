import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import { useEstimates, type EstimatesResult } from '#page/client/react/use-estimates.ts';
import type { Estimates } from '#model/funding/estimate.ts';
import type { MarketResponses } from '#model/markets/market-rows.ts';
import type { DueTimes } from '#model/time/due-times.ts';
import { usePanelQuery, type PanelQuery } from '#page/panels/panel-query.ts';
import { useCurrentEstimates } from '#page/panels/use-estimate.ts';
import { useDueTimes } from '#page/panels/use-due-times.ts';
import { useStaggeredCount } from '#page/kit/time/use-staggered-count.tsx';

/** Slower than the endpoints' own pace: each of these reads returns every product. */
export const LIVE_REFRESH_SECONDS = 20;
/** Open interest and settlements change once a day. */
export const DAILY_REFRESH_SECONDS = 900;

const live = { everySeconds: LIVE_REFRESH_SECONDS };
const daily = { everySeconds: DAILY_REFRESH_SECONDS };
/** More rows than there are perpetuals: exchanges differ in their default page size. */
const LATEST = { limit: 100 } as const;

export type MarketQueryName = 'products' | 'trailing' | 'voi' | 'funding' | 'data';

/** One of the requests that the list is built from. */
export interface MarketQuery {
  readonly name: MarketQueryName;
  /** What is missing when it fails. */
  readonly label: string;
  readonly query: PanelQuery<ApiResponse<unknown>>;
  /** Not every exchange has this endpoint. */
  readonly optional: boolean;
}

export interface MarketState {
  /** The first reads the products; without it there is no list. */
  readonly queries: readonly MarketQuery[];
  /** Null until the products are known. */
  readonly responses: MarketResponses | null;
  readonly estimates: Estimates;
  readonly failedEstimates: FailedEstimates;
  /** Only the first of several pages of settled rates was read. */
  readonly isFundingTruncated: boolean;
  /** Null until the exchange's time is known. */
  readonly due: DueTimes | null;
}

type FailedEstimates = Pick<EstimatesResult, 'missingBecause' | 'retry'>;

/** Reads the whole list with five requests, however many products there are; then the predicted rates, one perpetual at a time. */
export function useMarketData(): MarketState {
  const { queries } = useApi();
  const products = usePanelQuery(useQuery(queries.desk.products({})));
  const trailing = usePanelQuery(useQuery(queries.venue.trailingStatsAll({}, live)));
  const voi = usePanelQuery(useQuery(queries.venue.chartVoi({}, daily)));
  const funding = usePanelQuery(useQuery(queries.venue.fundingRates(LATEST)));
  const data = usePanelQuery(useQuery(queries.venue.productDataAll({}, live)));
  const sessions = useSettledSessions(voi, data);
  const marketQueries = useMemo(
    () => toMarketQueries({ products, trailing, voi, funding, data }),
    [products, trailing, voi, funding, data],
  );
  const isComplete = marketQueries.every(({ query }) => query.data !== undefined || query.error !== null);
  const perpetuals = useMemo(() => (isComplete ? findPerpetuals(products.data) : NONE), [isComplete, products.data]);
  const failedEstimates = useEstimates(perpetuals, useStaggeredCount(perpetuals.length));
  const due = useDueTimes();
  const estimates = useCurrentEstimates(failedEstimates.estimates, due);
  const isInGracePeriod = useGracePeriod(products.data !== undefined);
  const isShown = isComplete || !isInGracePeriod;
  const responses = useMemo(
    () =>
      isShown && products.data !== undefined
        ? {
            products: products.data,
            trailing: trailing.data,
            voi: voi.data,
            funding: funding.data,
            data: data.data,
            sessions,
          }
        : null,
    [isShown, products.data, trailing.data, voi.data, funding.data, data.data, sessions],
  );
  const isFundingTruncated = Boolean(funding.data?.value.pagination.cursor);
  // The same object until something arrives, so that the list is not drawn again for nothing.
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

/** True for a moment after the first response: the others mostly arrive within it, and the list is then drawn once. */
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
