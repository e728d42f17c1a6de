import { expect, it } from 'vitest';
import type { GridColumn } from './grid.ts';
import { toFilterLike, toRowFilter } from './row-filter.ts';

interface Row {
  readonly symbol: string;
  readonly price: number | null;
  readonly time: string;
  readonly age: number;
}

let written = 0;
/** The digits that other rows of the column need. */
let digits = 1;
let zone = 'Z';
const columns: readonly GridColumn<Row>[] = [
  {
    id: 'symbol',
    title: 'Symbol',
    kind: 'text',
    width: 90,
    text: ({ symbol }) => symbol,
    value: ({ symbol }) => symbol,
  },
  {
    id: 'price',
    title: 'Price',
    kind: 'number',
    width: 90,
    text: ({ price }) => {
      written++;
      return price === null ? 'withheld\u2007' : price.toLocaleString('en').replace('-', '−') + '\u2007'.repeat(digits);
    },
    value: ({ price }) => price,
    word: ({ price }) => (price === null ? 'withheld' : ''),
  },
  {
    id: 'time',
    title: 'Time',
    kind: 'text',
    width: 90,
    alphabet: /[\d:Z]/,
    text: ({ time }) => time + zone,
    value: ({ time }) => time,
    compare: (a, b) => Number(a > b) - Number(a < b),
    within:
      ({ from }) =>
      ({ time }) =>
        time >= from,
  },
  {
    id: 'age',
    title: 'Age',
    kind: 'number',
    width: 90,
    text: ({ age }) => `${String(age)} h`,
    value: ({ age }) => age,
    near: ({ age }) => [Math.floor(age), Math.floor(age) + 1],
  },
];
const rows: readonly Row[] = [
  { symbol: 'PBUSZ50', price: 23_580, time: '12:00', age: 3.2 },
  { symbol: 'BUSZ26 C120000', price: null, time: '12:05', age: 3.4 },
  { symbol: 'a.c', price: -5, time: '13:00', age: 7 },
];

function symbolsWith(part: Partial<Parameters<typeof toRowFilter>[1]>): readonly string[] {
  const passes = toRowFilter(columns, { filters: {}, quick: '', ...part });
  return rows.filter((row) => passes?.(row) ?? true).map(({ symbol }) => symbol);
}

it('needs no test without a filter', () => {
  expect(toRowFilter(columns, { filters: {}, quick: '  ' })).toBeNull();
});

it.each([
  ['busz', ['PBUSZ50', 'BUSZ26 C120000']],
  ['23,5', ['PBUSZ50']],
  ['2358', ['PBUSZ50']],
  ['-5', ['a.c']],
  ['−5', ['a.c']],
  ['12: z26', ['BUSZ26 C120000']],
  ['C12 12:05', ['BUSZ26 C120000']],
  ['a.c', ['a.c']],
  ['WITHheld', ['BUSZ26 C120000']],
  ['(', []],
])('finds the words "%s" anywhere in a row, taken literally and in either case', (quick, found) => {
  expect(symbolsWith({ quick })).toEqual(found);
});

it('does not format figures to search them for letters', () => {
  written = 0;
  symbolsWith({ quick: 'pbus' });
  symbolsWith({ quick: 'withheld' });
  expect(written).toBe(0);
  symbolsWith({ quick: '580' });
  expect(written).toBeGreaterThan(0);
});

it.each([
  [{ symbol: { kind: 'has', text: 'usz' } }, ['PBUSZ50', 'BUSZ26 C120000']],
  [{ symbol: { kind: 'is', texts: ['a.c', 'PBUSZ50'] } }, ['PBUSZ50', 'a.c']],
  [{ time: { kind: 'has', text: '12:0' } }, ['PBUSZ50', 'BUSZ26 C120000']],
  [{ time: { kind: 'has', text: 'Z' } }, []],
  [{ symbol: { kind: 'starts', text: 'b' } }, ['BUSZ26 C120000']],
  [{ symbol: { kind: 'starts', text: '.' } }, []],
  [{ time: { kind: 'within', from: '12:05', to: '' } }, ['BUSZ26 C120000', 'a.c']],
  [{ symbol: { kind: 'within', from: 'a', to: '' } }, []],
  [{ price: { kind: 'is', texts: ['withheld'] } }, ['BUSZ26 C120000']],
  [{ price: { kind: 'between', from: -5, to: null } }, ['PBUSZ50', 'a.c']],
  [{ price: { kind: 'between', from: null, to: 0 } }, ['a.c']],
  [{ price: { kind: 'between', from: 0, to: null }, symbol: { kind: 'has', text: 'P' } }, ['PBUSZ50']],
] as const)('filters by columns: %j', (filters, found) => {
  expect(symbolsWith({ filters })).toEqual(found);
});

it.each(['symbol', 'price', 'time'])('filters by the %s of a row, whatever the column shows later', (id) => {
  const column = columns.find((one) => one.id === id);
  for (const row of rows) {
    [digits, zone] = [1, 'Z'];
    const filters = column === undefined ? {} : { [id]: toFilterLike(column, row) };
    [digits, zone] = [4, ' in Chicago'];
    expect(symbolsWith({ filters })).toEqual([row.symbol]);
  }
});

it('filters by nearby values where the exact value does not last', () => {
  const filters = Object.fromEntries(
    columns
      .filter(({ id }) => id === 'age')
      .map((age) => ['age', toFilterLike(age, { symbol: '', price: 0, time: '', age: 3.9 })]),
  );
  expect(symbolsWith({ filters })).toEqual(['PBUSZ50', 'BUSZ26 C120000']);
});
