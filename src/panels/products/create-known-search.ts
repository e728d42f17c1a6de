import type { QueryClient } from '@tanstack/react-query';
import type { Queries } from '#api/create-queries.ts';
import { toNumber } from '#contract/brand.ts';
import type { DeskProduct } from '#contract/desk.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { createProductSearch, type ProductSearch } from '#domain/search/product-search.ts';
import { findLatestOpenInterest, groupByProduct } from '#domain/voi/voi-rows.ts';
import { createRecentlyViewed } from '#ui/recently-viewed.ts';

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
