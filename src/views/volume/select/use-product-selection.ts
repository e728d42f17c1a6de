import type { NamedProduct } from '#domain/find-product.ts';
import { useNavigator, writeQuery } from '#ui/navigation/navigation.tsx';

/** Ways to choose what is shown; each is an entry of the history, since it is another subject. */
export function useProductSelection(products: readonly NamedProduct[]) {
  const navigator = useNavigator();
  const go = (change: (query: URLSearchParams) => void): void => {
    const choose = (query: URLSearchParams): void => {
      for (const name of ['product', 'series']) query.delete(name);
      change(query);
    };
    writeQuery(navigator, choose, 'push');
  };
  const show = (ids: readonly string[]): void => {
    go((query) => {
      query.set('product', ids.join(','));
    });
  };
  return {
    one: (id: string) => {
      show([id]);
    },
    add: (id: string) => {
      show([...new Set([...products.map((product) => String(product.id)), id])]);
    },
    remove: (id: string) => {
      show(products.map((product) => String(product.id)).filter((other) => other !== id));
    },
    months: (series: string) => {
      go((query) => {
        query.set('series', series);
      });
    },
  };
}
