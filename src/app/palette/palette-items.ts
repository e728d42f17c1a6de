import type { DeskProduct } from '#contract/desk.ts';
import { SCREENS } from '../screens.ts';

export interface PaletteItem {
  readonly id: string;
  /** What is searched and shown. */
  readonly label: string;
  readonly remark: string;
  readonly to: string;
}

export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

/** Everything that can be gone to, screens before products. */
export function toPaletteGroups(products: readonly DeskProduct[]): readonly PaletteGroup[] {
  const screens = SCREENS.map(({ name, home, key }) => ({ id: home, label: name, remark: `g ${key}`, to: home }));
  const listed = products.map(toProductItem);
  return [
    { name: 'Screens', items: screens },
    { name: 'Products', items: listed },
  ].filter(({ items }) => items.length > 0);
}

function toProductItem({ product_id, symbol, product_name, type }: DeskProduct): PaletteItem {
  const id = String(product_id);
  const label = [symbol ?? id, product_name].filter((text) => text !== undefined).join(' ');
  return { id: `product ${id}`, label, remark: type ?? '', to: `/price/${id}` };
}
