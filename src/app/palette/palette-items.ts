import type { DeskProduct } from '#contract/desk.ts';
import type { Offer } from '#ui/offers.tsx';
import { SCREENS } from '../screens.ts';

export interface PaletteItem {
  readonly id: string;
  /** What is searched and shown. */
  readonly label: string;
  readonly remark: string;
  /** An address, or what is done where the screen stays. */
  readonly to: string | (() => void);
}

export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

/** Everything that can be gone to, screens before products, and after them what the screen itself offers. */
export function toPaletteGroups(products: readonly DeskProduct[], offers: readonly Offer[] = []): readonly PaletteGroup[] {
  const screens = SCREENS.map(({ name, home, key }) => ({ id: home, label: name, remark: `g ${key}`, to: home }));
  const listed = products.map(toProductItem);
  return [
    { name: 'Screens', items: screens },
    { name: 'Products', items: listed },
    ...[...Map.groupBy(offers, ({ group }) => group)].map(([name, members]) => ({ name, items: members.map(toOfferItem) })),
  ].filter(({ items }) => items.length > 0);
}

function toOfferItem({ group, label, remark, run }: Offer): PaletteItem {
  return { id: `${group} ${label}`, label, remark, to: run };
}

function toProductItem({ product_id, symbol, product_name, type }: DeskProduct): PaletteItem {
  const id = String(product_id);
  const label = [symbol ?? id, product_name].filter((text) => text !== undefined).join(' ');
  return { id: `product ${id}`, label, remark: type ?? '', to: `/price/${id}` };
}
