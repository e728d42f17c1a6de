import type { DeskProduct } from '#contract/desk/desk.ts';
import { findProduct, findSeries, findDefaultProduct, type NamedProduct } from '../../products/product-directory.ts';

export interface SelectedProducts {
  /** Null where a name in the address is unknown. */
  readonly products: readonly NamedProduct[] | null;
  readonly name: string;
}

interface Selection {
  readonly series: string;
  readonly names: string;
  /** Symbol of the product viewed last. */
  readonly last: string;
}

/** What the address selects: a series, some products, or by default the product viewed last. */
export function selectProducts(
  { series, names, last }: Selection,
  directory: readonly DeskProduct[],
): SelectedProducts {
  if (series !== '') {
    const products = findSeries(series, directory);
    return { products: products.length === 0 ? null : products, name: `All expiries of ${series}` };
  }
  if (names === '') return toSelected([findDefaultProduct(directory, last)], '');
  return toSelected(
    names.split(',').map((name) => findProduct(name.trim(), directory)),
    names,
  );
}

function toSelected(found: readonly (NamedProduct | null)[], names: string): SelectedProducts {
  const products = found.filter((product) => product !== null);
  const unique = products.filter(
    ({ id }, index) => products.findIndex((other) => String(other.id) === String(id)) === index,
  );
  if (unique.length === 0 || products.length < found.length) return { products: null, name: names };
  return { products: unique, name: unique.map(({ name }) => name).join(' + ') };
}
