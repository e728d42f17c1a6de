import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import {
  DESK_ITSELF,
  type Payer,
  type RateLimiter,
  type Reader,
  type ReadOptions,
  type ResponseListeners,
  type Served,
  type ServerPorts,
  type Venue,
  type VenueRequest,
} from '#server/core/ports.ts';
import { isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';
import { toRowCheck } from '#server/core/rows.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Store } from '#server/store/store.ts';
import { createDirectoryReader, type ProductDirectory, readDirectory } from '../products/product-directory.ts';
import { type EstimateStore, toInterval } from './estimate-store.ts';
import { createFundingRecords, type FundingRecords } from './funding-records.ts';
import type { ListedPerpetual } from './describe-funding.ts';
import { createFundingStore } from './funding-store.ts';
import { createPredictedRateReads, type PredictedRateReads } from './read-predicted-rates.ts';
import { type PrintRequest, readLatest } from './update-settled-rates.ts';

export interface FundingDeps {
  readonly store: Store;
  readonly lease: Pick<Lease, 'isHeld'>;
  readonly venueId: string;
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Pick<Venue, 'state'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  readonly estimates: EstimateStore;
  readonly now: () => number;
  readonly elapsed: () => number;
}

/**
 * Opens the funding records, which read through the cache and the budget. New settled rates are also added to the
 * stored predicted ones.
 */
export function openFundingRecords({
  store,
  lease,
  venueId,
  profile,
  reader,
  venue,
  rateLimiter,
  estimates,
  now,
  elapsed,
}: FundingDeps): FundingRecords {
  // The result is stored for everyone, so the read continues when one client leaves.
  const { signal } = new AbortController();
  const withLimit = createPageLimit(isRejectedRequest);
  const venueNow = (): number => now() + (venue.state().clockOffsetMs ?? 0);
  return createFundingRecords({
    store: createFundingStore(store, venueId),
    now,
    elapsed,
    venueNow,
    // An interval that has not ended is not settled: storing it would hide that its rate is still due.
    toCheck: (request) => toRowCheck(toVenuePrintRequest(profile, request, undefined), venueNow()),
    compares: lease.isHeld,
    isBudgetFree: () => isHalfFree(rateLimiter),
    onPrints: ({ baseSymbol }, rows) => estimates.settle(baseSymbol, rows),
    fetchPage: async (request, cause) => {
      const read = (limit: number | undefined) =>
        reader.read(toVenuePrintRequest(profile, request, limit), { ...cause, signal });
      const { response, staleBecause } = await withLimit(LARGEST_LIMIT.funding, read);
      if (staleBecause !== null) throw new VenueFailure(staleBecause);
      return response;
    },
  });
}

/** Whether at least half of the request budget is free. */
function isHalfFree(rateLimiter: Pick<RateLimiter, 'state'>): boolean {
  const { limit, used } = rateLimiter.state();
  return limit === null || used <= limit.requests / 2;
}

/** Predicted rates as the plan has last read them. */
export interface PredictedRates extends Pick<PredictedRateReads, 'start' | 'close'> {
  /**
   * Serves the last one, at its age. Only if there is none does it read, or none of the current interval and a person
   * waits.
   */
  readonly read: (request: VenueRequest, options: ReadOptions) => Promise<Served>;
}

/** Opens the reads of predicted rates, which only the leader makes, as the least urgent ones. */
export function openPredictedRates({
  lease,
  profile,
  reader,
  venue,
  rateLimiter,
  estimates,
  now,
  elapsed,
  schedule,
  log,
}: Omit<FundingDeps, 'store' | 'venueId'> & Pick<ServerPorts, 'schedule' | 'log'>): PredictedRates {
  const closing = new AbortController();
  const cause = { purpose: 'prefetch', payers: DESK_ITSELF } as const;
  const venueNow = (): number => now() + (venue.state().clockOffsetMs ?? 0);
  const isCurrent = ({ response }: Served): boolean => {
    const interval = toInterval(response.body.toString());
    return interval !== null && interval.end > venueNow();
  };
  const readProducts = createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), cause);
  const reads = createPredictedRateReads({
    symbols: async () => {
      const { directory } = await readDirectory({ read: readProducts }, closing.signal);
      return toPerpetuals(directory).flatMap(({ baseSymbol, trades }) => (trades ? baseSymbol : []));
    },
    read: async (baseSymbol) => {
      const request = toVenueRequest(profile, 'fundingEstimated', { base_symbol: baseSymbol }, []);
      const { response, staleBecause } = await reader.read(request, { ...cause, signal: closing.signal });
      if (staleBecause !== null) throw new VenueFailure(staleBecause);
      return response.body.toString();
    },
    estimates,
    mayRead: () => lease.isHeld() && venue.state().circuit === 'closed' && isHalfFree(rateLimiter),
    venueNow,
    elapsed,
    schedule,
    log,
  });
  return {
    start: reads.start,
    read: async (request, options) => {
      reads.want(request.pathParameters['base_symbol'] ?? '');
      const kept = reader.kept(request);
      if (kept === null || !(options.purpose === 'prefetch' || isCurrent(kept))) return reader.read(request, options);
      return { ...kept, freshSeconds: Math.max(kept.freshSeconds, ASK_AGAIN_SECONDS) };
    },
    close: () => {
      reads.close();
      closing.abort();
    },
  };
}

/** How soon a page asks for a predicted rate again that the plan has not read anew. */
const ASK_AGAIN_SECONDS = 15;

function toVenuePrintRequest(
  profile: VenueProfile,
  { productId, beginTime, endTime, cursor }: PrintRequest,
  limit: number | undefined,
) {
  const request = toVenueRequest(profile, 'fundingRates', {}, [
    ['product_id', String(productId)],
    ...toLimitPairs(limit),
    ['begin_time', beginTime],
    ...(endTime === undefined ? [] : [['end_time', endTime] as const]),
    ['order', 'asc'],
    ...(cursor === null ? [] : [['cursor', cursor] as const]),
  ]);
  // The rates are stored, so a cached response would contain nothing new.
  return { ...request, endpoint: { ...request.endpoint, reuseSeconds: 0 } };
}

/** Compares each latest rate that is read, for whatever purpose, with the stored rate of its interval. */
export function createLatestNote(
  store: Store,
  venueId: string,
  now: () => number,
): NonNullable<ResponseListeners['fundingRates']> {
  const prints = createFundingStore(store, venueId);
  return (request, response, offsetMs) => {
    // The records compare ranges themselves.
    if (request.query.some(([name]) => name === 'begin_time')) return;
    const latest = readLatest(response, toRowCheck(request, now() + offsetMs));
    if (latest !== null) void prints.reviseKnown(latest, now());
  };
}

/** Returns the perpetuals in the product directory. */
export function toPerpetuals({ products }: Pick<ProductDirectory, 'products'>): readonly ListedPerpetual[] {
  return products
    .filter(({ type }) => type === 'perpetual')
    .map(({ product_id, base_symbol, product_status }) => ({
      productId: Number(product_id),
      baseSymbol: typeof base_symbol === 'string' ? base_symbol : String(product_id),
      // Without a status, it counts as trading.
      trades: product_status !== 'expired' && product_status !== 'forthcoming',
    }));
}

/** What the product directory lists, whether or not it trades. */
interface ListedCodes {
  readonly symbols: ReadonlySet<string>;
  readonly baseSymbols: ReadonlySet<string>;
  /** Base symbols of perpetuals. */
  readonly perpetuals: ReadonlySet<string>;
}

/** Creates a function that returns the listed codes, or null if they cannot be read. The given payer pays. */
export function createListedCodes(
  profile: VenueProfile,
  reader: Reader,
): (payer: Payer) => Promise<ListedCodes | null> {
  return async (payer) => {
    try {
      const read = createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), {
        purpose: 'interactive',
        payers: [payer],
      });
      const { directory } = await readDirectory({ read }, new AbortController().signal);
      const textsOf = (field: 'symbol' | 'base_symbol'): ReadonlySet<string> =>
        new Set(directory.products.map((product) => product[field]).filter((text) => typeof text === 'string'));
      return {
        symbols: textsOf('symbol'),
        baseSymbols: textsOf('base_symbol'),
        perpetuals: new Set(toPerpetuals(directory).map(({ baseSymbol }) => baseSymbol)),
      };
    } catch (error) {
      if (error instanceof VenueFailure) return null;
      throw error;
    }
  };
}

/** Creates a function that returns the stored settled rates of a perpetual as JSON, newest first, without reading any. */
export function createStoredRates(
  store: Store,
  venueId: string,
): (baseSymbol: string, from: number) => Promise<readonly string[]> {
  const funding = createFundingStore(store, venueId);
  return async (baseSymbol, from) => {
    const perpetual = (await funding.list()).findLast((one) => one.baseSymbol === baseSymbol);
    if (perpetual === undefined) return [];
    const range = { from: formatInstant(toEpochNanos(from)), after: null, limit: LARGEST_LIMIT.funding };
    return (await funding.read(perpetual.productId, range)).map(({ text }) => text);
  };
}
