import { useEffect } from 'react';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { type ReceivedStatus, toVenueTime } from '#page/client/desk-status.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { type HistoryRange, RANGE_DAYS } from '#model/tables/funding/perpetual-params.ts';

const DAY_MS = 86_400_000;
/** The longest window of the realised table. */
const WINDOW_DAYS = 90;

/**
 * How often to look for a newer settled rate. Perpdesk responds from its database, without a request to the exchange.
 */
export const FUNDING_SECONDS = 30;

/** Settlements and open interest change once a day. */
const DAILY = { everySeconds: 900 } as const;

/** Reads the data of one perpetual. Without settled rates the screen is empty; everything else may be missing. */
export function usePerpetualQueries(baseSymbol: string, range: HistoryRange, since: number | null) {
  const { queries, now } = useApi();
  const status = useQuery(queries.desk.status({}));
  const today = toVenueDay(status.data, now());
  const begin_time = range === 'all' ? null : toBeginTime(today, range, since);
  const isTimeKnown = status.data !== undefined || status.error !== null;
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
      enabled: range === 'all' || isTimeKnown,
    }),
    estimate,
    /** Those of the current interval, read after the first predicted rate, so that the rate is among those recorded. */
    estimates: useQuery({
      ...queries.desk.estimates({ base_symbol: baseSymbol, begin_time: toInstant(today) }),
      enabled: isTimeKnown && (estimate.data !== undefined || estimate.error !== null),
    }),
    predictedRates: useQuery({
      ...queries.desk.estimates({
        base_symbol: baseSymbol,
        near_points: true,
        ...(range !== 'all' && { begin_time: toInstant(today - (RANGE_DAYS[range] + 1) * DAY_MS) }),
      }),
      enabled: range === 'all' || isTimeKnown,
    }),
    /** Data to check the tick size, the contract size and the latest rate; undefined until the product is known. */
    prices,
    data,
    days,
    latest,
    status,
  };
}

export type PerpetualQueries = ReturnType<typeof usePerpetualQueries>;

/** Returns the start of the current day by the exchange's clock. */
function toVenueDay(status: ReceivedStatus | undefined, now: number): number {
  return Math.floor(toVenueTime(status, now) / DAY_MS) * DAY_MS;
}

/** Returns a midnight, so that the request stays the same all day. */
function toBeginTime(today: number, range: Exclude<HistoryRange, 'all'>, since: number | null): Instant {
  // One extra day, because ranges end at a funding time, not at midnight.
  const first = today - (Math.max(WINDOW_DAYS, RANGE_DAYS[range]) + 1) * DAY_MS;
  const begin = since === null ? first : Math.min(first, Math.floor(since / DAY_MS) * DAY_MS - DAY_MS);
  return toInstant(begin);
}

function toInstant(at: number): Instant {
  return new Date(at).toISOString().replace('.000', '') as Instant;
}

/**
 * The exchange publishes a settled rate a few moments after the funding time. The server also waits this long before it
 * reads.
 */
const SETTLING_MS = 6_000;

interface Settlement {
  readonly estimate: EstimatedFundingRateData | undefined;
  /** The latest settled funding time, in epoch milliseconds. */
  readonly settledTo: number | null;
  readonly refetch: () => void;
}

/**
 * Reads the settled rate soon after a funding time, and a few more times. After that, the usual refresh has to find it.
 */
export function useSettlementRefetch({ estimate, settledTo, refetch }: Settlement): void {
  const toVenueTime = useVenueTime();
  const awaited = useNowSelector((now) => findAwaited(estimate, settledTo, toVenueTime(now)));
  useEffect(() => (awaited === null ? undefined : repeatWithBackoff(refetch, document)), [awaited, refetch]);
}

/**
 * Returns the funding time whose settled rate is due; null if there is none.
 *
 * @internal Exported for its test.
 */
export function findAwaited(
  estimate: Settlement['estimate'],
  settledTo: number | null,
  venueNow: number,
): number | null {
  if (estimate === undefined || settledTo === null) return null;
  const [start, end] = [Date.parse(estimate.interval_start), Date.parse(estimate.interval_end)];
  if (settledTo < end && venueNow > end + SETTLING_MS) return end;
  return settledTo < start ? start : null;
}

const PAUSES_MS = [4_000, 8_000, 16_000, 32_000] as const;

type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/**
 * Acts at once and again after each of a few growing pauses, but never while the page is hidden. Returns a function
 * that stops it.
 *
 * @internal Exported for its test.
 */
export function repeatWithBackoff(act: () => void, page: Page): () => void {
  let done = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    timer = undefined;
    if (page.hidden) return;
    act();
    const pause = PAUSES_MS[done];
    done += 1;
    if (pause !== undefined) timer = setTimeout(next, pause);
  };
  const resume = (): void => {
    if (timer === undefined && done <= PAUSES_MS.length) next();
  };
  page.addEventListener('visibilitychange', resume);
  next();
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', resume);
  };
}
