import type { QueryClient } from '@tanstack/react-query';
import type { Queries } from '#page/client/queries/create-queries.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { createProductSearch, type ProductSearch } from '#model/search/product-search.ts';
import { findLatestOpenInterest, groupByProduct } from '#model/voi/voi-rows.ts';
import { createRecentlyViewed } from '#page/kit/recently-viewed.ts';

export interface SearchParts {
  readonly client: QueryClient;
  readonly queries: Queries;
  readonly products: readonly DeskProduct[];
}

/** Ranks by recent use, and by open interest if a screen has read that already: it reads nothing itself. */
export function createKnownSearch({ client, queries, products }: SearchParts): ProductSearch {
  const days = client.getQueryData(queries.venue.chartVoi({}).queryKey)?.value ?? [];
  return createProductSearch(products, {
    recent: createRecentlyViewed(window, 'product').read(),
    openInterest: toOpenInterest(days),
  });
}

function toOpenInterest(days: readonly VOIDataPoint[]): ReadonlyMap<number, number> {
  const latest = [...groupByProduct(days)].map(
    ([id, rows]) => [id, findLatestOpenInterest(rows)?.notionalOpenInterest ?? null] as const,
  );
  return new Map(latest.flatMap(([id, cents]) => (cents === null ? [] : [[id, toNumber(cents) / 100]])));
}
