import type { DeskProduct } from '#contract/desk.ts';
import { toProductItems } from '#domain/find-product.ts';
import type { Offer } from '#ui/offers.tsx';
import { SCREENS } from '../screens.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  /** Searched too. */
  readonly also?: string;
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
  const listed = toProductItems(products).map(({ value, label, remark, also }) => ({ id: `product ${value}`, label, remark, also: `${remark} ${also}`, to: `/price/${value}` }));
  return [
    { name: 'Screens', items: screens },
    { name: 'Products', items: listed },
    ...[...Map.groupBy(offers, ({ group }) => group)].map(([name, members]) => ({ name, items: members.map(toOfferItem) })),
  ].filter(({ items }) => items.length > 0);
}

function toOfferItem({ group, label, remark, run }: Offer): PaletteItem {
  return { id: `${group} ${label}`, label, remark, to: run };
}
