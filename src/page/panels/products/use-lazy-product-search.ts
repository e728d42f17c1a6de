import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductSearch } from '#model/products/product-search.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useLoadErrorToast } from '#page/kit/toast.tsx';
import type { createKnownSearch } from './create-known-search.ts';

/**
 * Creates a search for the time until the real one has loaded: it finds products whose names contain every word, and
 * one whose symbol is a word first.
 *
 * @internal Exported for its test.
 */
export function createLiteralSearch(products: readonly DeskProduct[]): ProductSearch {
  return {
    find: (text) => {
      const words = toLiteralWords(text);
      const isNamed = ({ symbol }: DeskProduct): boolean =>
        symbol !== undefined && words.includes(symbol.toLowerCase());
      return products
        .filter((product) => words.every((word) => toNames(product).includes(word)))
        .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
    },
    nearest: () => [],
    marked: toLiteralWords,
  };
}

function toLiteralWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/);
}

function toNames({ product_id: id, symbol, product_name: name, type, contract_size_unit: unit }: DeskProduct): string {
  return [symbol, name, type, unit, String(id)].join(' ').toLowerCase();
}

type Create = typeof createKnownSearch;

let loading: Promise<Create> | null = null;

/** Loads the search's code ahead of its use; a failed load is tried again the next time. */
function loadSearch(): Promise<Create> {
  loading ??= import('./create-known-search.ts').then(
    (code) => code.createKnownSearch,
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/**
 * Returns the search among these products, loaded once it is wanted. Until then, or if its code cannot be loaded, the
 * search is literal.
 */
export function useLazyProductSearch(
  products: readonly DeskProduct[],
  isWanted: boolean,
): { readonly search: ProductSearch; readonly isLoading: boolean } {
  const { queries } = useApi();
  const client = useQueryClient();
  const showLoadError = useLoadErrorToast();
  const [create, setCreate] = useState<{ readonly code: Create | null } | null>(null);
  useEffect(() => {
    if (!isWanted || create !== null) return;
    loadSearch().then(
      (code) => {
        setCreate({ code });
      },
      () => {
        setCreate({ code: null });
        showLoadError();
      },
    );
  }, [isWanted, create, showLoadError]);
  const code = create?.code ?? null;
  const search = useMemo(
    () => (isWanted && code !== null ? code({ client, queries, products }) : createLiteralSearch(products)),
    [isWanted, code, client, queries, products],
  );
  return { search, isLoading: isWanted && create === null };
}
