import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { DEFAULT_LIMIT } from '#contract/exchange/parameters.ts';
import type { ApiRequest } from './handler.ts';
import type { Cursors, Position } from './cursors.ts';

type PagedName = Extract<EndpointName, 'orders' | 'fundingRates'>;

export interface Paging {
  readonly limit: number;
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  /** The page's `pagination`, as JSON. */
  readonly toPagination: (page: { readonly count: number; readonly last: Position | null }) => string;
}

/** A cursor belongs to its query: credential, filters and direction. The page size may change between pages. */
export function readPaging(name: PagedName, { query, identity }: ApiRequest<PagedName>, cursors: Cursors): Paging {
  const { limit, cursor, order, ...filters } = query;
  const direction = order?.[0] === 'asc' ? 'asc' : 'desc';
  const owner = JSON.stringify([name, identity?.connectionId, direction, Object.entries(filters).sort()]);
  const after = cursor?.[0] === undefined ? null : cursors.read(cursor[0], owner);
  const size = Number(limit?.[0] ?? DEFAULT_LIMIT);
  return {
    limit: size,
    direction,
    after,
    toPagination: ({ count, last }) => cursors.pagination({ count, last, limit: size, after }, owner),
  };
}
