import { wireText } from '#contract/exchange/row-notes.ts';
import { formatNumber } from '../../format/number.ts';
import { nameSome } from '../../format/count.ts';
import { findDefaultProduct, findProduct, findSeries, type NamedProduct } from '../../products/product-directory.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';

export interface SelectedProducts {
  /** Null if a name in the address is unknown. */
  readonly products: readonly NamedProduct[] | null;
  readonly name: string;
}

interface Selection {
  readonly series: string;
  readonly names: string;
  /** Symbol of the product viewed last. */
  readonly last: string;
}

/** Returns what the address selects: a series, some products, or by default the product viewed last. */
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

/**
 * Names the contract sizes of products if they differ, because such contracts cannot be added up; null if they are the
 * same or unknown.
 */
export function describeSizes(products: readonly NamedProduct[]): string | null {
  const sizes = new Set(products.flatMap(({ product }) => (product === null ? [] : (toSize(product) ?? []))));
  return sizes.size < 2 ? null : nameSome([...sizes]);
}

function toSize(product: NonNullable<NamedProduct['product']>): string | null {
  const size = wireText(product, 'contract_size');
  return size === undefined ? null : `${formatNumber(toDecimal(size))} ${product.contract_size_unit ?? ''}`.trim();
}
