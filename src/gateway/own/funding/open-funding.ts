import { createPageLimit } from '#contract/page-limit.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import type { VenueProfile } from '#contract/venues.ts';
import type { Disk } from '../../disk.ts';
import { isRefusedQuestion, VenueFailure, type Reader, type Venue } from '../../ports.ts';
import { toLimitPairs, toQuestion } from '../../question.ts';
import type { Directory } from '../directory.ts';
import type { EstimateStore } from './estimate-store.ts';
import { createFundingBook, type FundingBook } from './funding-book.ts';
import type { ListedPerpetual } from './answer-funding.ts';
import { createFundingStore } from './funding-store.ts';
import type { PrintQuestion } from './read-on.ts';

export interface FundingParts {
  readonly disk: Disk;
  readonly venueId: string;
  readonly profile: VenueProfile;
  readonly reader: Reader;
  readonly venue: Pick<Venue, 'state'>;
  readonly estimates: EstimateStore;
  readonly now: () => number;
  readonly elapsed: () => number;
}

/** The book of settled funding, read through the reader and its budget, with the estimates told what became of them. */
export function openFundingBook({ disk, venueId, profile, reader, venue, estimates, now, elapsed }: FundingParts): FundingBook {
  // The read is for all who ask and for the disk: it goes on when one of them leaves.
  const { signal } = new AbortController();
  const withLimit = createPageLimit(isRefusedQuestion);
  return createFundingBook({
    store: createFundingStore(disk, venueId),
    now,
    elapsed,
    venueNow: () => now() + (venue.state().clockOffsetMs ?? 0),
    onPrints: ({ baseSymbol }, rows) => {
      estimates.settle(baseSymbol, rows);
    },
    ask: async (asked, purpose) => {
      const ask = (limit: number | undefined) => reader.ask(toPrintQuestion(profile, asked, limit), { purpose, signal });
      const { answer, staleBecause } = await withLimit(LARGEST_LIMIT.funding, ask);
      if (staleBecause !== null) throw new VenueFailure(staleBecause);
      return answer;
    },
  });
}

function toPrintQuestion(profile: VenueProfile, { productId, beginTime, cursor }: PrintQuestion, limit: number | undefined) {
  const question = toQuestion(profile, 'fundingRates', {}, [
    ['product_id', String(productId)],
    ...toLimitPairs(limit),
    ['begin_time', beginTime],
    ['order', 'asc'],
    ...(cursor === null ? [] : [['cursor', cursor] as const]),
  ]);
  // What is asked here is kept on disk: an answer from memory would be one that is known already.
  return { ...question, endpoint: { ...question.endpoint, reuseSeconds: 0 } };
}

/** The perpetuals that the directory names. */
export function toPerpetuals({ products }: Pick<Directory, 'products'>): readonly ListedPerpetual[] {
  return products
    .filter(({ type }) => type === 'perpetual')
    .map(({ product_id, base_symbol, product_status }) => ({
      productId: Number(product_id),
      baseSymbol: typeof base_symbol === 'string' ? base_symbol : String(product_id),
      // One that does not say trades as far as anybody knows.
      trades: product_status !== 'expired' && product_status !== 'forthcoming',
    }));
}
