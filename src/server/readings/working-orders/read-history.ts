import { LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { splitFields, splitList } from '#contract/parse/json-split.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import type { HistoryPage, OutcomeDeps } from '#server/journal/find-outcomes.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { DESK_ITSELF, type Reader, type ReadOptions } from '#server/core/ports.ts';
import { isRejectedRequest } from '#server/core/venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';

/** Reads a page of the order history past the cache, as large as the exchange allows. */
export type HistoryReader = (
  query: Pairs,
  cursor: string | null,
  options: Pick<ReadOptions, 'purpose' | 'signal'>,
) => Promise<HistoryPage>;

export function createHistoryReader(profile: VenueProfile, reader: Reader): HistoryReader {
  const withLimit = createPageLimit(isRejectedRequest);
  return async (query, cursor, options) => {
    const pairs = [...query, ...(cursor === null ? [] : [['cursor', cursor] as const])];
    const { response } = await withLimit(LARGEST_LIMIT.orders, (limit) =>
      reader.read(toVenueRequest(profile, 'orders', {}, [...pairs, ...toLimitPairs(limit)]), {
        ...options,
        payers: DESK_ITSELF,
        refresh: true,
      }),
    );
    const fields = splitFields(response.body.toString());
    const next: unknown = JSON.parse(splitFields(fields.get('pagination') ?? '{}').get('cursor') ?? 'null');
    const data = fields.get('data') ?? '[]';
    return {
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
