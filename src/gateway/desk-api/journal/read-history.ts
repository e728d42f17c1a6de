import { LARGEST_LIMIT } from '#contract/parameters.ts';
import { createPageLimit } from '#contract/page-limit.ts';
import { splitFields, splitList } from '#contract/parsing/json-split.ts';
import type { VenueProfile } from '#contract/venues.ts';
import type { OutcomeParts } from '../../journal/find-outcomes.ts';
import { DESK_ITSELF, type Reader } from '../../ports.ts';
import { isRejectedRequest } from '../../venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '../../venue-request.ts';

/** Reads pages of the order history, the newest order first, when nothing else needs the budget. */
export function createHistoryReader(profile: VenueProfile, reader: Reader): OutcomeParts['readHistory'] {
  const withLimit = createPageLimit(isRejectedRequest);
  return async ({ productId, begin, end }, cursor, signal) => {
    const pairs = [['product_id', productId], ['begin_time', begin], ['end_time', end], ...(cursor === null ? [] : [['cursor', cursor] as const])] as const;
    const { response } = await withLimit(LARGEST_LIMIT.orders, (limit) =>
      reader.read(toVenueRequest(profile, 'orders', {}, [...pairs, ...toLimitPairs(limit)]), { purpose: 'prefetch', payers: DESK_ITSELF, signal, refresh: true }),
    );
    const fields = splitFields(response.body.toString());
    const next: unknown = JSON.parse(splitFields(fields.get('pagination') ?? '{}').get('cursor') ?? 'null');
    const data = fields.get('data') ?? '[]';
    return { rows: splitList(data, data.indexOf('[') + 1), cursor: typeof next === 'string' && next !== '' ? next : null };
  };
}
