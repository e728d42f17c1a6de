import { wireText } from '#contract/exchange/wire-text.ts';
import { formatNumber } from '../../format/number.ts';
import { nameSome } from '../../format/name-some.ts';
import type { NamedProduct } from '../../products/product-directory.ts';
import { toDecimal } from '../../units/decimal.ts';

/** The contract sizes of products where they differ, in words: such contracts cannot be added up. Null: they are the same, or unknown. */
export function describeSizes(products: readonly NamedProduct[]): string | null {
  const sizes = new Set(products.flatMap(({ product }) => (product === null ? [] : (toSize(product) ?? []))));
  return sizes.size < 2 ? null : nameSome([...sizes]);
}

function toSize(product: NonNullable<NamedProduct['product']>): string | null {
  const size = wireText(product, 'contract_size');
  return size === undefined ? null : `${formatNumber(toDecimal(size))} ${product.contract_size_unit ?? ''}`.trim();
}
