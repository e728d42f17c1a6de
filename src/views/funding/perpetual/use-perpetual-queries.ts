import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import { type ReceivedStatus, toVenueTime } from '#api/venue-time.ts';
import type { ProductId } from '#contract/ids.ts';
import type { Instant } from '#contract/instant.ts';
import { type Estimate, findNewestEnded, markEnded } from '#domain/funding/estimate.ts';
import { toEstimates } from '#api/react/use-estimates.ts';
import { useVenueTime } from '#api/react/use-venue-time.ts';
import { useNowSelector } from '#ui/time/use-now.tsx';
import type { HistoryRange } from './perpetual-params.ts';
import { RANGE_DAYS } from './perpetual-data.ts';

const DAY_MS = 86_400_000;
/** The longest window told beside the chart. */
const WINDOW_DAYS = 90;

/** How often the desk is asked whether there is a newer print: that costs the venue nothing. */
export const FUNDING_SECONDS = 30;

/** Everything the screen shows of a perpetual. Without settled prints there is no screen; without the rest there is one. */
export function usePerpetualQueries(baseSymbol: string, range: HistoryRange, since: number | null) {
  const { queries, now } = useApi();
  const status = useQuery(queries.desk.status({}));
  const begin_time = range === 'all' ? null : toBeginTime(toVenueDay(status.data, now()), range, since);
  const products = useQuery(queries.desk.products({}));
  const product = products.data?.value.products.find(({ base_symbol, type }) => base_symbol === baseSymbol && type === 'perpetual') ?? null;
  const id = product?.product_id;
  return {
    product,
    products,
    funding: useQuery({
      ...queries.desk.funding({ base_symbol: baseSymbol, ...(begin_time !== null && { begin_time }) }),
      placeholderData: (previous) => previous,
      enabled: range === 'all' || status.data !== undefined || status.error !== null,
    }),
    estimate: useQuery(queries.venue.fundingEstimated({ base_symbol: baseSymbol })),
    estimates: useQuery(queries.desk.estimates({ base_symbol: baseSymbol })),
    /** What the published increment is held against. */
    prices: useQuery({ ...queries.venue.chartPrice({ id: id ?? NO_PRODUCT }), enabled: id !== undefined }),
    status,
  };
}

export type PerpetualQueries = ReturnType<typeof usePerpetualQueries>;

/** Never asked for: the query waits until there is a product. */
const NO_PRODUCT = 1 as unknown as ProductId;

/** The day it is where prints are settled. */
function toVenueDay(status: ReceivedStatus | undefined, now: number): number {
  return Math.floor(toVenueTime(status, now) / DAY_MS) * DAY_MS;
}

/** A midnight, so that the same is asked all day long. */
function toBeginTime(today: number, range: Exclude<HistoryRange, 'all'>, since: number | null): Instant {
  // A day more than is shown: ranges end with a boundary, and this with a day.
  const first = today - (Math.max(WINDOW_DAYS, RANGE_DAYS[range]) + 1) * DAY_MS;
  const begin = since === null ? first : Math.min(first, Math.floor(since / DAY_MS) * DAY_MS - DAY_MS);
  return new Date(begin).toISOString().replace('.000', '') as Instant;
}

/** What was read of the interval in progress, with why it is not the latest; null as long as nothing was. */
export function useEstimate(baseSymbol: string, { data, error }: PerpetualQueries['estimate']): Estimate | null {
  const read = useMemo(() => toEstimates(baseSymbol, { data, error }), [baseSymbol, data, error]);
  const toVenueTime = useVenueTime();
  const newestOver = useNowSelector((now) => findNewestEnded(read, toVenueTime(now)));
  return useMemo(() => markEnded(read, newestOver).get(baseSymbol) ?? null, [read, newestOver, baseSymbol]);
}
