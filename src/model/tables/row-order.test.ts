import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GridColumn, SortLevel } from './grid.ts';
import { orderRows } from './arrange-rows.ts';

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly price: number | null;
  readonly size: bigint | null;
}

function compareIds(a: string, b: string): number {
  return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
}

const columns: readonly GridColumn<Row>[] = [
  { id: 'id', title: 'Id', kind: 'text', width: 90, text: ({ id }) => id, value: ({ id }) => id, compare: compareIds },
  { id: 'name', title: 'Name', kind: 'text', width: 90, text: ({ name }) => name ?? '–', value: ({ name }) => name },
  {
    id: 'price',
    title: 'Price',
    kind: 'number',
    width: 90,
    text: ({ price }) => String(price),
    value: ({ price }) => price,
  },
  { id: 'size', title: 'Size', kind: 'number', width: 90, text: ({ size }) => String(size), value: ({ size }) => size },
];

const aRow = fc.record({
  // Beyond float precision, and of different lengths.
  id: fc.oneof(fc.bigInt(7_670_000_000_000_000_000n, 7_670_000_000_000_000_009n), fc.bigInt(0n, 20n)).map(String),
  name: fc.constantFrom('BUS2', 'BUS10', 'BUS02', 'bus2', '1e5', '1e05', 'ÄB', null),
  price: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(-0), fc.constant(null)),
  size: fc.oneof(
    fc.bigInt(-2n, 2n),
    fc.constant(9_007_199_254_740_993n),
    fc.constant(9_007_199_254_740_992n),
    fc.constant(null),
  ),
});
const rowsOf = fc.array(aRow, { maxLength: 40 });
const sortsOf = fc.uniqueArray(fc.record({ id: fc.constantFrom('id', 'name', 'price', 'size'), desc: fc.boolean() }), {
  selector: ({ id }) => id,
  minLength: 1,
});
const isAny = () => true;
const nothing = { sorts: [], grouping: [], filters: {}, quick: '' };

const collator = new Intl.Collator('en', { numeric: true });

/** States the intended order as one comparison of two rows, without ranks or indices. */
function compareRows(a: Row, b: Row, id: string, desc: boolean): number {
  const [x, y] = [a[id as keyof Row], b[id as keyof Row]];
  if (x === null || y === null) return Number(x === null) - Number(y === null);
  const sign = desc ? -1 : 1;
  if (typeof x === 'string' && typeof y === 'string')
    return sign * (id === 'id' ? compareIds(x, y) : collator.compare(x, y) || (x < y ? -1 : Number(x > y)));
  return sign * (x < y ? -1 : x > y ? 1 : 0);
}

it('sorts by several levels like comparing rows one by one: stable, missing values last in both directions, ids by size', () => {
  fc.assert(
    fc.property(rowsOf, sortsOf, (rows, sorts) => {
      const { indices } = orderRows(rows, columns, { ...nothing, sorts }, isAny);
      const wanted = rows
        .map((row, index) => ({ row, index }))
        .sort(
          (a, b) =>
            sorts.reduce((found, { id, desc }) => found || compareRows(a.row, b.row, id, desc), 0) || a.index - b.index,
        );
      expect([...(indices ?? [])]).toEqual(wanted.map(({ index }) => index));
    }),
  );
});

it('keeps filtered rows in their original order', () => {
  fc.assert(
    fc.property(rowsOf, fc.constantFrom('BUS2', 'BUS10'), (rows, name) => {
      const { indices } = orderRows(
        rows,
        columns,
        { ...nothing, filters: { name: { kind: 'is', texts: [name] } } },
        isAny,
      );
      expect([...(indices ?? [])]).toEqual(rows.flatMap((row, index) => (row.name === name ? [index] : [])));
    }),
  );
});

interface Lot {
  readonly account: string;
  readonly side: string;
  readonly size: number | null;
}

const lots: readonly Lot[] = [
  { account: 'A', side: 'Bid', size: 5 },
  { account: 'B', side: 'Ask', size: 4 },
  { account: 'A', side: 'Ask', size: 1 },
  { account: 'B', side: 'Bid', size: 3 },
  { account: 'C', side: 'Bid', size: null },
  { account: 'D', side: 'Bid', size: 6 },
];

const lotColumns: readonly GridColumn<Lot>[] = [
  {
    id: 'account',
    title: 'Account',
    kind: 'text',
    width: 90,
    text: ({ account }) => account,
    value: ({ account }) => account,
  },
  { id: 'side', title: 'Side', kind: 'text', width: 90, text: ({ side }) => side, value: ({ side }) => side },
  {
    id: 'size',
    title: 'Size',
    kind: 'number',
    width: 90,
    text: ({ size }) => String(size),
    value: ({ size }) => size,
    subtotal: (rows) => toTotal(rows.flatMap(({ size }) => size ?? [])),
  },
];

function toTotal(sizes: readonly number[]) {
  return { value: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0), text: '' };
}

function lotsBy(
  sorts: readonly SortLevel[],
  grouping: readonly string[],
  isCounted: (lot: Lot) => boolean = isAny,
): string {
  const { indices } = orderRows(lots, lotColumns, { ...nothing, sorts, grouping }, isCounted);
  return [...(indices ?? [])]
    .map((index) => `${lots[index]?.account ?? ''}${String(lots[index]?.size ?? '–')}`)
    .join(' ');
}

it.each([
  [
    'downwards, those without a total last, the same total by name',
    [{ id: 'size', desc: true }],
    ['account'],
    'B4 B3 A5 A1 D6 C–',
  ],
  ['upwards, those without a total last still', [{ id: 'size', desc: false }], ['account'], 'A1 A5 D6 B3 B4 C–'],
  ['in each level of them', [{ id: 'size', desc: true }], ['account', 'side'], 'B4 B3 A5 A1 D6 C–'],
  ['in each level of them, upwards', [{ id: 'size', desc: false }], ['side', 'account'], 'A1 B4 B3 A5 D6 C–'],
  [
    'by name where the first column that sorts adds nothing up',
    [
      { id: 'side', desc: true },
      { id: 'size', desc: true },
    ],
    ['account'],
    'A5 A1 B3 B4 C– D6',
  ],
  ['by name where nothing sorts', [], ['account'], 'A5 A1 B4 B3 C– D6'],
])('groups come by their totals of the column that sorts: %s', (_, sorts, grouping, wanted) => {
  expect(lotsBy(sorts, grouping)).toBe(wanted);
});

it('sorts groups by the totals they show, of the rows that count', () => {
  expect(lotsBy([{ id: 'size', desc: true }], ['account'], ({ size }) => size !== 4)).toBe('A5 A1 D6 B4 B3 C–');
});

it('creates no indices for rows that are neither filtered nor sorted', () => {
  expect(orderRows([], columns, nothing, isAny)).toEqual({ indices: null, groupKeys: [] });
});

it('ignores unknown columns', () => {
  expect(
    orderRows([], columns, { ...nothing, sorts: [{ id: 'gone', desc: true }], grouping: ['gone'] }, isAny),
  ).toEqual({ indices: null, groupKeys: [] });
});
