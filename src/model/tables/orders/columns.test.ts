import { describe, expect, it } from 'vitest';
import { toFilterLike, toRowFilter } from '../row-filter.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { createOrderColumns } from './columns.ts';

const columns = createOrderColumns({ mostDigits: 2, zone: 'utc', isNarrow: false });
/** The columns of a later list with a more precise product, in another time zone. */
const later = createOrderColumns({ mostDigits: 6, zone: 'chicago', isNarrow: false });

const rows = toRows(
  readOrders([
    { id: '1', product_id: 1, price: 17_503, time: '2026-08-17T23:45:21.496334704Z' },
    { id: '2', product_id: 3, price: 17_503, time: '2026-08-17T23:45:21.496334705Z' },
    { id: '3', product_id: 4, price: 17_503, time: '2026-08-16T23:45:21.496334704Z' },
  ]),
);

function idsWith(part: Partial<Parameters<typeof toRowFilter>[1]>, shown = later): readonly string[] {
  const passes = toRowFilter(shown, { filters: {}, quick: '', ...part });
  return rows.filter((row) => passes?.(row) ?? true).map(({ order }) => order.id);
}

describe('order columns', () => {
  it.each([
    ['n/a', ['2']],
    ['ticks', ['3']],
    ['min', ['1', '2']],
  ])('match the quick filter %s by the word in their cells', (quick, ids) => {
    expect(idsWith({ quick })).toEqual(ids);
  });

  it.each([
    ['price', '1', ['1']],
    ['price', '2', ['2']],
    ['price', '3', ['3']],
    ['notional', '1', ['1']],
    ['time', '1', ['1']],
    ['time', '2', ['2']],
    ['remaining', '1', ['1', '2', '3']],
  ])('filtered by the %s of order %s include that order, also in another format', (id, like, ids) => {
    const column = columns.find((one) => one.id === id);
    const row = rows.find(({ order }) => order.id === like);
    expect(idsWith({ filters: column && row ? { [id]: toFilterLike(column, row) } : {} })).toEqual(ids);
  });
});

it.each([
  ['absolute values', [20_000, -15_000], '17.50'],
  ['nothing without a USD value', [], '–'],
])('the notional of a group adds up %s', (_, prices, text) => {
  const orders = prices.map((price, index) => ({
    id: String(index),
    product_id: 1,
    price,
    quantity_requested: 1,
    quantity_filled: 0,
  }));
  expect(columns.find(({ id }) => id === 'notional')?.subtotal?.(toRows(readOrders(orders))).text).toBe(text);
});

it.each(['2026-08-17T23:45:21.496334+00:00', 'yesterday'])('show an order with a malformed time, %s', (time) => {
  const [row] = toRows(readOrders([{ time, last_modified: time }]));
  const columns = createOrderColumns({ mostDigits: 2, zone: 'chicago', isNarrow: false });
  const texts = new Map(columns.map(({ id, text }) => [id, row && text(row)]));
  expect([texts.get('time'), texts.get('lastModified'), texts.get('age')]).toEqual([time, time, '–']);
});

describe('totals of a group', () => {
  const orders = readOrders([
    { id: '1', product_id: 1, price: 20_000, quantity_requested: 3, quantity_filled: 1 },
    { id: '2', product_id: 1, price: -20, quantity_requested: 5, quantity_filled: 0, product_type: 'Spread' },
    { id: '3', product_id: 2, price: 20, quantity_requested: 7, quantity_filled: 0, product_type: 'Option' },
  ]);
  const totalOf = (id: string, from: number, to: number) =>
    columns.find((one) => one.id === id)?.subtotal?.(toRows(orders.slice(from, to))).text;

  it('are figures only; the heading says what they are, so that none is cut', () => {
    expect([totalOf('remaining', 0, 2), totalOf('remaining', 0, 3)]).toEqual(['7', '14']);
    const unitOf = (id: string, grouping: string) => columns.find((one) => one.id === id)?.groupedUnit?.([grouping]);
    expect([unitOf('remaining', 'account'), unitOf('remaining', 'product'), unitOf('notional', 'product')]).toEqual([
      'mixed sizes',
      undefined,
      'USD, gross totals',
    ]);
  });

  it('never add up notional, premium and difference', () => {
    expect(['notional', 'premium', 'difference'].map((id) => totalOf(id, 0, 3))).toEqual(['20.00', '28.00', '0.05']);
    expect(['notional', 'premium', 'difference'].map((id) => totalOf(id, 0, 1))).toEqual(['20.00', '–', '–']);
  });
});

it('the age is copied without its mark', () => {
  const age = columns.find(({ id }) => id === 'age');
  expect(rows.map((row) => [age?.text(row).slice(0, 2), age?.copied?.(row).includes('●')])).toEqual([
    ['○ ', false],
    ['○ ', false],
    ['● ', false],
  ]);
});
