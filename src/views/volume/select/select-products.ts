import type { DeskProduct } from '#contract/desk.ts';
import { findProduct, findSeries, findUsualProduct, type NamedProduct } from '#domain/find-product.ts';

export interface SelectedProducts {
  /** Null: nothing by that name. */
  readonly products: readonly NamedProduct[] | null;
  /** What they are together. */
  readonly name: string;
}

interface Asked {
  readonly series: string;
  readonly names: string;
  /** What was looked at last. */
  readonly last: string;
}

/** What an address asks for: a series, some products, or the usual one. */
export function selectProducts({ series, names, last }: Asked, directory: readonly DeskProduct[]): SelectedProducts {
  if (series !== '') {
    const products = findSeries(series, directory);
    return { products: products.length === 0 ? null : products, name: `All months of ${series}` };
  }
  if (names === '') return toChosen([findUsualProduct(directory, last)], '');
  return toChosen(names.split(',').map((name) => findProduct(name.trim(), directory)), names);
}

function toChosen(found: readonly (NamedProduct | null)[], wanted: string): SelectedProducts {
  const products = found.filter((product) => product !== null);
  const once = products.filter(({ id }, index) => products.findIndex((other) => String(other.id) === String(id)) === index);
  if (once.length === 0 || products.length < found.length) return { products: null, name: wanted };
  return { products: once, name: once.map(({ name }) => name).join(' + ') };
}
