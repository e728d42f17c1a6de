import { useQueries, useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { type ReceivedStatus, toVenueTime } from '#page/client/venue-time.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { HistoryRange } from '#model/tables/funding/perpetual-params.ts';
import { RANGE_DAYS } from '#model/tables/funding/perpetual-data.ts';

const DAY_MS = 86_400_000;
/** The longest window of the realised table. */
const WINDOW_DAYS = 90;

/** How often to look for a newer settled rate; Perpdesk answers from its database, without a request to the exchange. */
export const FUNDING_SECONDS = 30;

/** Settlements and open interest change once a day. */
const DAILY = { everySeconds: 900 } as const;

/** The data of one perpetual. Without settled rates the screen is empty; everything else may be missing. */
export function usePerpetualQueries(baseSymbol: string, range: HistoryRange, since: number | null) {
  const { queries, now } = useApi();
  const status = useQuery(queries.desk.status({}));
  const begin_time = range === 'all' ? null : toBeginTime(toVenueDay(status.data, now()), range, since);
  const products = useQuery(queries.desk.products({}));
  const product =
    products.data?.value.products.find(({ base_symbol, type }) => base_symbol === baseSymbol && type === 'perpetual') ??
    null;
  const known = product === null ? [] : [product.product_id];
  const [prices] = useQueries({ queries: known.map((id) => queries.venue.chartPrice({ id })) });
  const [data] = useQueries({ queries: known.map((id) => queries.venue.productData({ id }, DAILY)) });
  const [days] = useQueries({ queries: known.map((id) => queries.venue.chartVoi({ product_id: id }, DAILY)) });
  const [latest] = useQueries({ queries: known.map((id) => queries.venue.fundingRates({ product_id: id }, DAILY)) });
  const estimate = useQuery(queries.venue.fundingEstimated({ base_symbol: baseSymbol }));
  return {
    product,
    products,
    funding: useQuery({
      ...queries.desk.funding({ base_symbol: baseSymbol, ...(begin_time !== null && { begin_time }) }),
      placeholderData: (previous) => previous,
      enabled: range === 'all' || status.data !== undefined || status.error !== null,
    }),
    estimate,
    /** After the first predicted rate, so that it is among those recorded. */
    estimates: useQuery({
      ...queries.desk.estimates({ base_symbol: baseSymbol }),
      enabled: estimate.data !== undefined || estimate.error !== null,
    }),
    /** What the tick size, the contract size and the latest rate are checked with; undefined until the product is known. */
    prices,
    data,
    days,
    latest,
    status,
  };
}

export type PerpetualQueries = ReturnType<typeof usePerpetualQueries>;

/** The current day by the exchange's clock. */
function toVenueDay(status: ReceivedStatus | undefined, now: number): number {
  return Math.floor(toVenueTime(status, now) / DAY_MS) * DAY_MS;
}

/** A midnight, so that the request stays the same all day. */
function toBeginTime(today: number, range: Exclude<HistoryRange, 'all'>, since: number | null): Instant {
  // A day more than shown: ranges end at a funding time, not at midnight.
  const first = today - (Math.max(WINDOW_DAYS, RANGE_DAYS[range]) + 1) * DAY_MS;
  const begin = since === null ? first : Math.min(first, Math.floor(since / DAY_MS) * DAY_MS - DAY_MS);
  return new Date(begin).toISOString().replace('.000', '') as Instant;
}
