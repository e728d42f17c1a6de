import type { DeskProduct } from '#contract/desk.ts';
import { toProductItems } from '#domain/markets/product-directory.ts';
import type { Command } from '#ui/commands.tsx';
import { SCREENS } from '../screens.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  /** Searched beside the label. */
  readonly keywords?: string;
  /** An address to go to, or an action on the current screen. */
  readonly to: string | (() => void);
}

export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

/** Screens, then products, then the commands of the current screen by group. */
export function toPaletteGroups(products: readonly DeskProduct[], commands: readonly Command[] = []): readonly PaletteGroup[] {
  const screens = SCREENS.map(({ name, home, key }) => ({ id: home, label: name, remark: `g ${key}`, to: home }));
  const listed = toProductItems(products).map(({ value, label, remark, also }) => ({ id: `product ${value}`, label, remark, keywords: `${remark} ${also}`, to: `/price/${value}` }));
  return [
    { name: 'Screens', items: screens },
    { name: 'Products', items: listed },
    ...[...Map.groupBy(commands, ({ group }) => group)].map(([name, members]) => ({ name, items: members.map(toCommandItem) })),
  ].filter(({ items }) => items.length > 0);
}

function toCommandItem({ group, label, remark, run }: Command): PaletteItem {
  return { id: `${group} ${label}`, label, remark, to: run };
}
