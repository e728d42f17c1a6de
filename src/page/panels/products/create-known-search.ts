import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createProductSearch, type ProductSearch } from '#model/products/product-search.ts';
import type { Queries } from '#page/client/queries/create-queries.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findLatestOpenInterest, groupByProduct } from '#model/voi/voi-rows.ts';
import { createRecentlyViewed } from '#page/kit/last-viewed.ts';

/** Returns the search among these products. */
export function useProductSearch(products: readonly DeskProduct[]): ProductSearch {
  const { queries } = useApi();
  const client = useQueryClient();
  return useMemo(() => createKnownSearch({ client, queries, products }), [client, queries, products]);
}

export interface SearchInputs {
  readonly client: QueryClient;
  readonly queries: Queries;
  readonly products: readonly DeskProduct[];
}

/** Creates a search that ranks by recent use, and by open interest if a screen has read it. It reads nothing itself. */
export function createKnownSearch({ client, queries, products }: SearchInputs): ProductSearch {
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
