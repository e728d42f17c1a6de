import type { NamedProduct } from '#model/products/product-directory.ts';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';

/** Each change of the selection is an entry of the browser's history. */
export function useProductSelection(products: readonly NamedProduct[]) {
  const navigator = useNavigator();
  const go = (change: (query: URLSearchParams) => void): void => {
    const replace = (query: URLSearchParams): void => {
      for (const name of ['product', 'series']) query.delete(name);
      change(query);
    };
    writeQuery(navigator, replace, 'push');
  };
  const show = (ids: readonly string[]): void => {
    go((query) => {
      query.set('product', ids.join(','));
    });
  };
  return {
    select: (id: string) => {
      show([id]);
    },
    add: (id: string) => {
      show([...new Set([...products.map((product) => String(product.id)), id])]);
    },
    remove: (id: string) => {
      show(products.map((product) => String(product.id)).filter((other) => other !== id));
    },
    selectExpiries: (series: string) => {
      go((query) => {
        query.set('series', series);
      });
    },
  };
}
