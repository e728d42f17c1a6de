import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toPriceAddress, toProductItems, toVolumeAddress } from '#model/products/product-directory.ts';
import type { ProductSearch } from '#model/products/product-search.ts';
import { toOrdersAddress } from '#page/panels/orders-address.ts';
import type { Command } from '#page/kit/commands.tsx';
import { describeMiss } from '#page/kit/search-matches.tsx';
import { SCREENS } from './screens.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  /** An address to go to, or an action on the current screen. */
  readonly to: string | (() => void);
}

export interface PaletteGroup {
  readonly name: string;
  readonly items: readonly PaletteItem[];
}

export interface PaletteMatches {
  readonly groups: readonly PaletteGroup[];
  /** The parts of the search text to highlight in the items. */
  readonly marked: readonly string[];
}

/**
 * Returns matching screens, then products (opened on the screen that the text names, if any), then the current
 * screen's commands by group. `now` is the exchange's time.
 */
export function findInPalette(
  text: string,
  search: ProductSearch,
  commands: readonly Command[] = [],
  now: number | null = null,
  usable = SCREENS,
): PaletteMatches {
  const named = findNamedScreen(text, new Set(usable.map(({ name }) => name)));
  const matches = (label: string, remark: string): boolean =>
    toPlainWords(text).every((word) => `${label} ${remark}`.toLowerCase().includes(word));
  const screens = usable
    .filter(({ name, key }) => matches(name, `g ${key}`))
    .map(({ name, home, key }) => ({ id: home, label: name, remark: `g ${key}`, to: home }));
  const listed = commands.filter(({ label, remark }) => matches(label, remark));
  const groups = [
    { name: 'Screens', items: screens },
    ...(named === null ? [] : [toScreenGroup(named, search, now)]),
    { name: 'Products', items: toPriceItems(search.find(text), now) },
    ...[...Map.groupBy(listed, ({ group }) => group)].map(([name, members]) => ({
      name,
      items: members.map(toCommandItem),
    })),
  ].filter(({ items }) => items.length > 0);
  if (groups.length > 0)
    return { groups, marked: [...search.marked(text), ...(named === null ? [] : search.marked(named.rest))] };
  const nearest = toPriceItems(search.nearest(text), now);
  return {
    groups: nearest.length === 0 ? [] : [{ name: describeMiss(text, nearest.length), items: nearest }],
    marked: [],
  };
}

interface NamedScreen {
  readonly screen: ProductScreen;
  /** The search text without the name of the screen. */
  readonly rest: string;
}

interface ProductScreen {
  readonly name: string;
  readonly words: readonly string[];
  /** Returns the product's address on this screen, or null if the screen does not show the product. */
  readonly toAddress: (product: DeskProduct) => string | null;
}

/** The screens that show one product, with the words that select each. */
const PRODUCT_SCREENS: readonly ProductScreen[] = [
  {
    name: 'Funding',
    words: ['funding'],
    toAddress: ({ type, base_symbol: symbol }) =>
      type === 'perpetual' && symbol !== undefined ? `/funding/${symbol}` : null,
  },
  {
    name: 'Price',
    words: ['price', 'prices', 'chart'],
    toAddress: toPriceAddress,
  },
  {
    name: 'Volume / OI',
    words: ['volume', 'oi', 'interest'],
    toAddress: toVolumeAddress,
  },
  {
    name: 'Orders',
    words: ['orders', 'order'],
    toAddress: ({ symbol }) => (symbol === undefined ? null : toOrdersAddress(symbol)),
  },
  {
    name: 'History',
    words: ['history'],
    toAddress: ({ product_id: id }) => `/orders/history?product=${String(toNumber(id))}`,
  },
];

function findNamedScreen(text: string, usable: ReadonlySet<string>): NamedScreen | null {
  const words = toPlainWords(text);
  const screen = PRODUCT_SCREENS.find(
    (each) => usable.has(each.name) && words.some((word) => each.words.includes(word)),
  );
  const others = words.filter((word) => screen?.words.includes(word) !== true);
  return screen === undefined || others.length === 0 ? null : { screen, rest: others.join(' ') };
}

function toScreenGroup(
  { screen: { name, toAddress }, rest }: NamedScreen,
  search: ProductSearch,
  now: number | null,
): PaletteGroup {
  return { name, items: toItems(search.find(rest), now, name, toAddress) };
}

function toPriceItems(products: readonly DeskProduct[], now: number | null): readonly PaletteItem[] {
  return toItems(products, now, 'product', toPriceAddress);
}

function toItems(
  products: readonly DeskProduct[],
  now: number | null,
  kind: string,
  toAddress: ProductScreen['toAddress'],
): readonly PaletteItem[] {
  return toProductItems(products, now).flatMap(({ value, label, remark, product }) => {
    const to = toAddress(product);
    return to === null ? [] : [{ id: `${kind} ${value}`, label, remark, to }];
  });
}

function toPlainWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function toCommandItem({ group, label, remark, run }: Command): PaletteItem {
  return { id: `${group} ${label}`, label, remark, to: run };
}
