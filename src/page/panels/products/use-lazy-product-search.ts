import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductSearch } from '#model/search/product-search.ts';
import { useLoadErrorToast } from '#page/kit/toast.tsx';
import { createLiteralSearch } from './literal-search.ts';
import type { createKnownSearch } from './create-known-search.ts';

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

/** The search among these products, loaded once it is wanted. Until then, and where its code cannot be loaded, it is literal. */
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
