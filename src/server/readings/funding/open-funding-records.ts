import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { Payer, Reader, Venue } from '#server/core/ports.ts';
import { isRejectedRequest, VenueFailure } from '#server/core/venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';
import { toRowCheck } from '#server/core/rows.ts';
import type { Store } from '#server/store/store.ts';
import { createDirectoryReader, type ProductDirectory, readDirectory } from '../products/product-directory.ts';
import type { EstimateStore } from './estimate-store.ts';
import { createFundingRecords, type FundingRecords } from './funding-records.ts';
import type { ListedPerpetual } from './describe-funding.ts';
import { createFundingStore } from './funding-store.ts';
import type { PrintRequest } from './update-settled-rates.ts';

export interface FundingDeps {
  readonly store: Store;
  readonly venueId: string;
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Pick<Venue, 'state'>;
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
  venueId,
  profile,
  reader,
  venue,
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

function toVenuePrintRequest(
  profile: VenueProfile,
  { productId, beginTime, cursor }: PrintRequest,
  limit: number | undefined,
) {
  const request = toVenueRequest(profile, 'fundingRates', {}, [
    ['product_id', String(productId)],
    ...toLimitPairs(limit),
    ['begin_time', beginTime],
    ['order', 'asc'],
    ...(cursor === null ? [] : [['cursor', cursor] as const]),
  ]);
  // The rates are stored, so a cached response would contain nothing new.
  return { ...request, endpoint: { ...request.endpoint, reuseSeconds: 0 } };
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

/** Returns the base symbols of all perpetuals, or null if they cannot be read. The given payer pays. */
export function createPerpetualSymbols(
  profile: VenueProfile,
  reader: Reader,
): (payer: Payer) => Promise<ReadonlySet<string> | null> {
  return async (payer) => {
    try {
      const read = createDirectoryReader(reader, (name) => toVenueRequest(profile, name, {}, []), {
        purpose: 'interactive',
        payers: [payer],
      });
      const { directory } = await readDirectory({ read }, new AbortController().signal);
      return new Set(toPerpetuals(directory).map(({ baseSymbol }) => baseSymbol));
    } catch (error) {
      if (error instanceof VenueFailure) return null;
      throw error;
    }
  };
}
