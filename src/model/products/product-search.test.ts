import { describe, expect, it, vi } from 'vitest';
import { createProductSearch, toWords } from './product-search.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';

it.each([
  ['BTC Perp', [['btc'], ['perp']]],
  ['  busz26-c120000 ', [['busz26'], ['c120000']]],
  ['120,000', [['120000']]],
  ["call 1'120 000", [['call'], ['1120000']]],
  ['120k', [['120k', '120000']]],
  ['0.5 z’26', [['0.5'], ['z'], ['26']]],
  ['call 26 120000', [['call'], ['26'], ['120000']]],
  ['12 1200', [['12'], ['1200']]],
  ['…', []],
])('%s', (text, words) => {
  expect(toWords(text)).toEqual(words);
});

const ACTIVE = { product_status: 'active' };
const bitcoin = { contract_size_unit: 'BTC', price_quotation_unit: 'USD per BTC', price_increment: 5, ...ACTIVE };

function product(id: number, fields: object): DeskProduct {
  return { product_id: id, ...fields } as unknown as DeskProduct;
}

function perpetual(id: number, symbol: string, unit: string, name: string): DeskProduct {
  return product(id, {
    symbol,
    base_symbol: symbol.slice(1, 6),
    type: 'perpetual',
    contract_size_unit: unit,
    price_quotation_unit: `USD per ${unit}`,
    product_name: `Perpetual ${name} US Dollar Future`,
    ...ACTIVE,
  });
}

function future(id: number, code: string, year: number, settles: string, status = 'active'): DeskProduct {
  const symbol = `BUS${code}${String(year % 100)}`;
  return product(id, {
    ...bitcoin,
    symbol,
    base_symbol: 'BUS',
    type: 'future',
    month: code,
    year,
    final_settle_time: settles,
    product_name: `Bitcoin US Dollar Standard Future ${symbol.slice(3)}`,
    product_status: status,
  });
}

const december = future(30, 'Z', 2026, '2026-12-25T22:00:00Z');
const january = future(31, 'F', 2027, '2027-01-29T22:00:00Z');
const expired = future(29, 'X', 2024, '2024-11-29T22:00:00Z', 'expired');

function option(id: number, strike: number, right: 'call' | 'put'): DeskProduct {
  const symbol = `BUSZ26-${right === 'call' ? 'C' : 'P'}${String(strike)}`;
  return product(id, {
    ...bitcoin,
    symbol,
    base_symbol: 'BUS',
    type: 'option',
    option_type: right,
    strike_price: strike / 5,
    underlying_product: 30,
    final_settle_time: '2026-12-25T22:00:00Z',
    product_name: `Bitcoin US Dollar Standard Z26 ${String(strike)} ${right}`,
  });
}

const directory = [
  perpetual(2, 'PBCHUSZ50', 'BCH', 'Bitcoin Cash'),
  perpetual(1, 'PBTCUCZ50', 'BTC', 'Bitcoin'),
  perpetual(3, 'PETHUIZ50', 'ETH', 'Ethereum'),
  perpetual(4, 'PSOLUSZ50', 'SOL', 'Solana'),
  perpetual(5, 'PXRPUHZ50', 'XRP', 'XRP'),
  expired,
  january,
  december,
  product(40, {
    ...bitcoin,
    symbol: 'BUSZ26-BUSF27',
    base_symbol: 'BUS',
    type: 'spread',
    legs: [
      { product_id: 30, weight: 1 },
      { product_id: 31, weight: -1 },
    ],
    final_settle_time: '2026-12-25T22:00:00Z',
    product_name: 'Bitcoin US Dollar Standard Calendar Spread Z26-F27',
  }),
  option(50, 120_000, 'call'),
  option(51, 120_000, 'put'),
  option(52, 102_000, 'call'),
];
const search = createProductSearch(directory);

function find(text: string): readonly (string | undefined)[] {
  return search.find(text).map(({ symbol }) => symbol);
}

describe('a product is found', () => {
  it.each([
    ['btc perp', ['PBTCUCZ50']],
    ['perpetual BITCOIN cash', ['PBCHUSZ50']],
    ['swap eth', ['PETHUIZ50']],
    ['btc fut dec 26', ['BUSZ26']],
    ['december 2026 futures', ['BUSZ26']],
    ['call 120000', ['BUSZ26-C120000']],
    ['120k put', ['BUSZ26-P120000']],
    ['120,000 call', ['BUSZ26-C120000']],
    ['calendar jan27', ['BUSZ26-BUSF27']],
    ['busz26-busf27', ['BUSZ26-BUSF27']],
    ['51', ['BUSZ26-P120000']],
    ['tcuc', ['PBTCUCZ50']],
    ['ETHUI', ['PETHUIZ50']],
    ['x4', ['BUSX24']],
    ['btc usd perp', ['PBTCUCZ50']],
    ['xbt swap', ['PBTCUCZ50']],
    ['btcusd perpetual', ['PBTCUCZ50']],
    ['BUSF7', ['BUSF27', 'BUSZ26-BUSF27']],
    ['busz6-c120000', ['BUSZ26-C120000']],
  ])('by %s', (text, symbols) => {
    expect(find(text)).toEqual(symbols);
  });
});

describe('the best match comes first:', () => {
  it('Bitcoin before Bitcoin Cash, whatever their order in the directory', () => {
    expect(find('bitcoin')[0]).toBe('PBTCUCZ50');
    expect(find('bitcoin').at(-1)).toBe('PBCHUSZ50');
  });

  it('a whole symbol before longer ones', () => {
    expect(find('busz26')[0]).toBe('BUSZ26');
  });

  it('of equal ones, what is recently used, then by open interest, then by expiry, and expired ones last', () => {
    expect(find('bus future')).toEqual(['BUSZ26', 'BUSF27', 'BUSX24']);
    const byInterest = createProductSearch(directory, {
      recent: [],
      openInterest: new Map([
        [31, 9],
        [30, 1],
      ]),
    });
    expect(byInterest.find('bus future').map(({ symbol }) => symbol)).toEqual(['BUSF27', 'BUSZ26', 'BUSX24']);
    const byUse = createProductSearch(directory, { recent: ['BUSZ26', 'BUSX24'], openInterest: new Map([[31, 9]]) });
    expect(byUse.find('bus future').map(({ symbol }) => symbol)).toEqual(['BUSZ26', 'BUSF27', 'BUSX24']);
  });
});

it('a text without words finds every product', () => {
  expect(find(' – ')).toHaveLength(directory.length);
});

it('a word that is a term by itself matches no longer ones: dec is December, not Deca', () => {
  const deca = product(60, {
    symbol: 'ETUDF27',
    type: 'future',
    contract_size_unit: 'ETH',
    month: 'F',
    year: 2027,
    product_name: 'Ethereum US Dollar Deca Future F27',
    ...ACTIVE,
  });
  const found = (text: string): readonly (string | undefined)[] =>
    createProductSearch([...directory, deca])
      .find(text)
      .map(({ symbol }) => symbol);
  expect(found('dec fut')).toEqual(['BUSZ26']);
  expect(found('deca')).toEqual(['ETUDF27']);
  expect(found('de')).toEqual(expect.arrayContaining(['BUSZ26', 'ETUDF27']));
});

it('of a strike, one or two digits within it are no match', () => {
  expect(find('02')).toEqual([]);
  expect(find('2000')).toEqual(expect.arrayContaining(['BUSZ26-C120000', 'BUSZ26-C102000']));
});

it('a product of which only the id is known is found by it', () => {
  expect(createProductSearch([product(7, {})]).find('7')).toHaveLength(1);
});

it('the nearest of a misspelt text are proposed, and none of a text that resembles nothing', () => {
  const nearest = (text: string): readonly (string | undefined)[] => search.nearest(text).map(({ symbol }) => symbol);
  expect(nearest('PBTCUZ50')[0]).toBe('PBTCUCZ50');
  expect(nearest('bitcion')[0]).toBe('PBTCUCZ50');
  expect(nearest('etherum perpetal')).toEqual(['PETHUIZ50']);
  expect(nearest('no such thing')).toEqual([]);
  expect(nearest('xyz')).toEqual([]);
});

it('a word is compared once with each distinct term, so a longer list of the same series costs little more', () => {
  const years = (count: number): readonly DeskProduct[] =>
    Array.from({ length: count }, (_, index) =>
      future(100 + index, 'FGHJKMNQUVXZ'.charAt(index % 12), 2026 + Math.floor(index / 12), '2026-12-25T22:00:00Z'),
    );
  const compare = vi.spyOn(String.prototype, 'indexOf');
  const comparisonsOf = (products: readonly DeskProduct[]): number => {
    const of = createProductSearch(products);
    compare.mockClear();
    of.find('bitcoin');
    return compare.mock.calls.length;
  };
  const counts = [comparisonsOf(years(350)), comparisonsOf(years(700))] as const;
  compare.mockRestore();
  // Comparing each name, symbol, type and underlying of 700 products takes 2,800 comparisons even without synonyms.
  expect(counts[1]).toBeLessThan(7 * 700);
  expect(counts[1] / counts[0]).toBeLessThan(2.1);
});
