import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductSearch } from '#model/search/product-search.ts';
import { createKnownSearch } from './create-known-search.ts';

/** The search among these products. */
export function useProductSearch(products: readonly DeskProduct[]): ProductSearch {
  const { queries } = useApi();
  const client = useQueryClient();
  return useMemo(() => createKnownSearch({ client, queries, products }), [client, queries, products]);
}
