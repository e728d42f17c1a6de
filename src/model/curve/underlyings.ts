import type { DeskProduct } from '#contract/desk/desk.ts';
import { countOf } from '../format/count.ts';
import { isActive } from '../products/is-active.ts';
import { findProduct, type ProductItem } from '../products/product-directory.ts';
import { listUnderlyings } from './curve-months.ts';

/** Finds the underlying with months that a name in an address stands for: its own, or that of a product or series. */
export function findUnderlying(text: string, directory: readonly DeskProduct[]): string | null {
  const listed = listUnderlyings(directory);
  const name = text.toUpperCase();
  const found = findProduct(text, directory)?.product?.contract_size_unit;
  return listed.find((unit) => unit.toUpperCase() === name) ?? listed.find((unit) => unit === found) ?? null;
}

/** Returns the underlying viewed last, or else the one with the most months in all its series. */
export function findDefaultUnderlying(directory: readonly DeskProduct[], last: string): string | null {
  const listed = listUnderlyings(directory);
  const byMonths = listed.toSorted((a, b) => findMonths(b, directory).length - findMonths(a, directory).length);
  return listed.find((unit) => unit === last) ?? byMonths[0] ?? null;
}

/** Lists the underlyings with months for a combobox. Search finds one by the names of its first month. */
export function toUnderlyingItems(directory: readonly DeskProduct[]): readonly ProductItem[] {
  return listUnderlyings(directory).flatMap((unit) => {
    const months = findMonths(unit, directory);
    const [first] = months;
    return first === undefined
      ? []
      : [{ value: unit, label: unit, remark: countOf(months.length, 'listed month'), product: first }];
  });
}

function findMonths(underlying: string, directory: readonly DeskProduct[]): readonly DeskProduct[] {
  return directory.filter(
    (product) => product.type === 'future' && product.contract_size_unit === underlying && isActive(product),
  );
}
