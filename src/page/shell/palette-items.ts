import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toProductItems } from '#model/products/product-directory.ts';
import { toPriceAddress, toVolumeAddress } from '#model/products/product-address.ts';
import type { ProductSearch } from '#model/products/product-search.ts';
import type { OwnerAlias } from '#contract/desk/aliases.ts';
import { toAccountAddress, toOrdersAddress } from '#page/panels/orders-address.ts';
import type { Command } from '#page/kit/commands.tsx';
import { describeMiss } from '#page/kit/search-matches.tsx';
import { SCREENS } from './screens.ts';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly remark: string;
  /** An address to go to, or an action on the current screen. */
  readonly to: string | (() => void);
  /** The product of which a price is shown. */
  readonly product?: DeskProduct;
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

/** What the palette finds besides screens, products and commands. */
export interface PaletteExtras {
  /** The symbols of the products viewed last, the latest first. */
  readonly recent: readonly string[];
  /** The owners of orders that the person may see. */
  readonly owners: readonly OwnerAlias[];
}

const NO_EXTRAS: PaletteExtras = { recent: [], owners: [] };

/**
 * Returns matching screens, then products (opened on the screen that the text names, if any), orders and accounts, then
 * the commands by group. Without a text, what was viewed last comes first. `now` is the exchange's time.
 */
export function findInPalette(
  text: string,
  search: ProductSearch,
  commands: readonly Command[] = [],
  now: number | null = null,
  usable = SCREENS,
  { recent, owners }: PaletteExtras = NO_EXTRAS,
): PaletteMatches {
  const named = findNamedScreen(text, new Set(usable.map(({ name }) => name)));
  const matches = (label: string, remark: string): boolean =>
    toPlainWords(text).every((word) =>
      [word, ...(OTHER_WORDS[word] ?? [])].some((each) => `${label} ${remark}`.toLowerCase().includes(each)),
    );
  const screens = usable
    .filter(({ name, key }) => matches(name, `g ${key}`))
    .map(({ name, home, key }) => ({ id: home, label: name, remark: `g ${key}`, to: home }));
  const listed = commands.filter(({ label, remark }) => matches(label, remark));
  const mayOpenOrders = usable.some(({ name }) => name === 'Orders');
  const groups = [
    { name: 'Recent', items: text === '' ? toPriceItems(toRecent(recent, search), now) : [] },
    { name: 'Screens', items: screens },
    ...(named === null ? [] : [toScreenGroup(named, search, now)]),
    { name: 'Products', items: toPriceItems(search.find(text), now) },
    { name: 'Order', items: mayOpenOrders ? toOrderItems(text) : [] },
    { name: 'Orders of an account', items: mayOpenOrders ? toAccountItems(text, owners) : [] },
    ...[...Map.groupBy(listed, ({ group }) => group)].map(([name, members]) => ({
      name,
      // Two charts of a screen may have the same switch.
      items: [...new Map(members.map((command) => [command.label, toCommandItem(command)])).values()],
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

/** Words for what screens call otherwise. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  daily: ['bars: 1d'],
  weekly: ['bars: 1w'],
  monthly: ['bars: 1m'],
  basis: ['curve'],
  help: ['keyboard shortcuts'],
  settings: ['preferences'],
};

function toRecent(recent: readonly string[], search: ProductSearch): readonly DeskProduct[] {
  const listed = search.find('');
  return recent.flatMap((name) => listed.find(({ symbol }) => symbol === name) ?? []);
}

/** An order ID has so many digits that no product or price looks like it. */
const ORDER_ID = /^\d{9,}$/;

function toOrderItems(text: string): readonly PaletteItem[] {
  const id = text.trim();
  return ORDER_ID.test(id)
    ? [{ id: `order ${id}`, label: id, remark: 'Life of this order', to: `/orders/life/${id}` }]
    : [];
}

const MOST_ACCOUNTS = 10;

function toAccountItems(text: string, owners: readonly OwnerAlias[]): readonly PaletteItem[] {
  const part = text.trim().toLowerCase();
  if (part === '') return [];
  return owners
    .filter(({ kind, code }) => kind === 'account' && code.toLowerCase().includes(part))
    .slice(0, MOST_ACCOUNTS)
    .map(({ code, alias }) => ({
      id: `account ${alias}`,
      label: code,
      remark: 'Working orders',
      to: toAccountAddress(alias),
    }));
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
    return to === null ? [] : [{ id: `${kind} ${value}`, label, remark, to, product }];
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
