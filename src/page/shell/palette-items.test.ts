import { describe, expect, it } from 'vitest';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createProductSearch } from '#model/products/product-search.ts';
import { SCREENS } from './screens.ts';
import { findInPalette, type PaletteExtras } from './palette-items.ts';

function product(fields: object): DeskProduct {
  return { product_status: 'active', ...fields } as unknown as DeskProduct;
}

const perpetual = product({
  product_id: 5614,
  symbol: 'PBTCUCZ50',
  base_symbol: 'BTCUC',
  product_name: 'Perpetual Bitcoin',
  contract_size_unit: 'BTC',
  type: 'perpetual',
});
const future = product({
  product_id: 9,
  symbol: 'BUSZ26',
  base_symbol: 'BUS',
  product_name: 'Bitcoin Future',
  contract_size_unit: 'BTC',
  type: 'future',
});
const unnamed = product({ product_id: 7 });
const search = createProductSearch([future, perpetual]);
const run = (): void => undefined;

it('lists screens before any product is known', () => {
  const { groups } = findInPalette('', createProductSearch([]));
  expect(groups.map(({ name }) => name)).toEqual(['Screens']);
  expect(groups[0]?.items.map(({ to }) => to)).toEqual(SCREENS.map(({ home }) => home));
});

it('finds a product by words in any order, and links to its price', () => {
  const { groups, marked } = findInPalette('bitcoin perp', search);
  expect(groups).toEqual([
    {
      name: 'Products',
      items: [
        {
          id: 'product PBTCUCZ50',
          label: 'PBTCUCZ50',
          remark: 'Perpetual Bitcoin',
          to: '/price/PBTCUCZ50',
          product: perpetual,
        },
      ],
    },
  ]);
  expect(marked).toEqual(['bitcoin', 'perp', 'perpetual']);
});

it('names a product by its id where nothing else is known', () => {
  expect(findInPalette('7', createProductSearch([unnamed])).groups[0]?.items[0]).toMatchObject({
    label: 'product 7',
    remark: '',
    to: '/price/7',
  });
});

it('lists the commands of the screen last, by group', () => {
  const commands = [
    { group: 'Columns', label: 'Price', remark: 'sort by it', run },
    { group: 'Accounts', label: 'Q1', remark: '', run },
    { group: 'Columns', label: 'Side', remark: 'sort by it', run },
  ];
  const { groups } = findInPalette('', search, commands);
  expect(groups.map(({ name }) => name)).toEqual(['Screens', 'Products', 'Columns', 'Accounts']);
  expect(groups[2]?.items).toEqual([
    { id: 'Columns Price', label: 'Price', remark: 'sort by it', to: run },
    { id: 'Columns Side', label: 'Side', remark: 'sort by it', to: run },
  ]);
  expect(
    findInPalette('sort side', search, commands).groups.map(({ items }) => items.map(({ label }) => label)),
  ).toEqual([['Side']]);
});

describe('a screen beside a product leads to the product on that screen:', () => {
  it.each([
    ['funding btc', 'Funding', ['/funding/BTCUC']],
    ['BTC Volume', 'Volume / OI', ['/volume/PBTCUCZ50', '/volume/BUSZ26']],
    ['busz26 price', 'Price', ['/price/BUSZ26']],
    ['orders busz26', 'Orders', ['/orders?f=product%3Ais%3ABUSZ26']],
    ['history busz26', 'History', ['/orders/history?product=9']],
  ])('%s', (text, name, addresses) => {
    const { groups } = findInPalette(text, search);
    expect(groups.map((group) => [group.name, group.items.map(({ to }) => to)])).toEqual([[name, addresses]]);
  });

  it('a screen alone is the screen', () => {
    expect(findInPalette('funding', search).groups.map(({ name }) => name)).toEqual(['Screens']);
  });
});

it('a text without matches is followed by what it may mean', () => {
  expect(findInPalette('PBTCUZ50', search).groups[0]).toMatchObject({
    name: 'No matches for “PBTCUZ50”. Did you mean:',
    items: [{ label: 'PBTCUCZ50' }],
  });
  expect(findInPalette('no such thing', search).groups).toEqual([]);
});

it('lists what was viewed last first, until something is typed', () => {
  const extras = { recent: ['PBTCUCZ50', 'GONE'], owners: [] };
  const groupsOf = (text: string) => findInPalette(text, search, [], null, SCREENS, extras).groups;
  expect(groupsOf('')[0]).toMatchObject({ name: 'Recent', items: [{ label: 'PBTCUCZ50' }] });
  expect(groupsOf('b').map(({ name }) => name)).not.toContain('Recent');
});

it('finds an order by its ID, and the orders of an account by its code, whose address has only the alias', () => {
  const owners: PaletteExtras['owners'] = [
    { kind: 'account', code: 'MERI-103', alias: 'a-2F9' },
    { kind: 'firm', code: 'MERI', alias: 'f-1' },
  ];
  const find = (text: string, usable = SCREENS) =>
    findInPalette(text, search, [], null, usable, { recent: [], owners }).groups.flatMap(({ items }) => items);
  expect(find('7666969781749914719')).toMatchObject([{ to: '/orders/life/7666969781749914719' }]);
  expect(find('meri')).toMatchObject([{ label: 'MERI-103', to: '/orders?own=account%3Ais%3A*a-2F9*' }]);
  const markets = SCREENS.filter(({ needs }) => needs === 'markets');
  expect([...find('7666969781749914719', markets), ...find('meri', markets)]).toEqual([]);
});

it('finds commands by other words for them, and lists two with one name once', () => {
  const weekly = { group: 'This screen', label: 'Bars: 1W', remark: '', run };
  expect(findInPalette('weekly', search, [weekly, weekly]).groups).toMatchObject([
    { name: 'This screen', items: [{ label: 'Bars: 1W' }] },
  ]);
});
