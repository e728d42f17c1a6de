import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { splitFields, splitList } from '#contract/parse/json-split.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import type { AcceptedDeps } from '#server/journal/find-accepted.ts';
import type { HistoryPage, OutcomeDeps } from '#server/journal/find-outcomes.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { DESK_ITSELF, type Reader, type ReadOptions } from '#server/core/ports.ts';
import { isRejectedRequest } from '#server/core/venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';

/** Reads a page of the order history past the cache, as large as the exchange allows. */
export type HistoryReader = (
  query: Pairs,
  cursor: string | null,
  options: Pick<ReadOptions, 'purpose' | 'signal'> & Partial<Pick<ReadOptions, 'payers'>>,
) => Promise<HistoryPage>;

/** A page with the time at which it was read, in epoch milliseconds. */
type TimedReader = (...request: Parameters<HistoryReader>) => ReturnType<AcceptedDeps['readHistory']>;

export function createHistoryReader(profile: VenueProfile, reader: Reader): TimedReader {
  const withLimit = createPageLimit(isRejectedRequest);
  return async (query, cursor, options) => {
    const pairs = [...query, ...(cursor === null ? [] : [['cursor', cursor] as const])];
    const { response } = await withLimit(LARGEST_LIMIT.orders, (limit) =>
      reader.read(toVenueRequest(profile, 'orders', {}, [...pairs, ...toLimitPairs(limit)]), {
        payers: DESK_ITSELF,
        ...options,
        refresh: true,
      }),
    );
    const fields = splitFields(response.body.toString());
    const next: unknown = JSON.parse(splitFields(fields.get('pagination') ?? '{}').get('cursor') ?? 'null');
    const data = fields.get('data') ?? '[]';
    return {
      at: response.respondedAt,
      rows: splitList(data, data.indexOf('[') + 1),
      cursor: typeof next === 'string' && next !== '' ? next : null,
    };
  };
}

/** Returns a reader for outcomes, which reads when nothing else needs the budget. */
export function toOutcomeReader(read: HistoryReader): OutcomeDeps['readHistory'] {
  return ({ productId, begin, end }, cursor, signal) =>
    read(
      [
        ['product_id', productId],
        ['begin_time', begin],
        ['end_time', end],
      ],
      cursor,
      { purpose: 'prefetch', signal },
    );
}

/** Returns a reader for orders that no reading of the working set listed, within the journal’s share of the budget. */
export function toAcceptedReader(read: TimedReader): AcceptedDeps['readHistory'] {
  return (begin, cursor, signal) =>
    read(
      [
        ['begin_time', begin],
        ['order', 'desc'],
      ],
      cursor,
      { purpose: 'history', payers: ['journal'], signal },
    );
}
