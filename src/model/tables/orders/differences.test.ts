import { expect, it } from 'vitest';
import { compareBooks } from '../../orders/past-books.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import type { GridFilter } from '../grid.ts';
import { textColumn } from './column-kinds.ts';
import { createDifferenceColumns, findUnchanged, toAddedColumns, toStepFilter } from './differences.ts';
import type { Instant } from '#contract/exchange/instant.ts';

const DIFFERING: GridFilter = { kind: 'is', texts: ['Added', 'Changed', 'Gone'] };
const OF_A: GridFilter = { kind: 'is', texts: ['NORD'] };

function find(
  before: readonly object[],
  after: readonly object[],
  filters: Readonly<Record<string, GridFilter>>,
  quick = '',
) {
  const comparison = compareBooks(toRows(readOrders(before)), toRows(readOrders(after)));
  const columns = [
    ...createDifferenceColumns(comparison, false),
    textColumn('account', 'Account', 80, ({ order }) => order.account_id),
  ];
  const found = findUnchanged(comparison, columns, { filters, quick });
  return found && [found.rows.map(({ order }) => String(order.id)), found.isFiltered];
}

const [a, b] = [
  { id: '1', account_id: 'NORD' },
  { id: '2', account_id: 'SUND' },
];

it('are all orders where nothing differs at all', () => {
  expect(find([a, b], [a, b], { change: DIFFERING })).toEqual([['1', '2'], false]);
  expect(find([], [], { change: DIFFERING })).toEqual([[], false]);
  expect(find([a], [a], { edits: { kind: 'has', text: 'Price' } })).toEqual([['1'], false]);
});

it('are those that the other filters leave, where only others differ', () => {
  expect(find([a], [a, b], { change: DIFFERING, account: OF_A })).toEqual([['1'], true]);
  expect(find([a], [a, b], { change: DIFFERING }, 'nord')).toEqual([['1'], true]);
});

it('are none where it is the filter that hides orders', () => {
  expect(find([a], [a, b], { change: { kind: 'is', texts: ['Gone'] } })).toBeNull();
  expect(find([b], [b], { change: DIFFERING, account: OF_A })).toBeNull();
  expect(find([b], [b], { account: OF_A })).toBeNull();
  expect(find([b], [b], { change: { kind: 'is', texts: ['Unchanged'] }, account: OF_A })).toBeNull();
});

const is = (...texts: string[]) => ({ kind: 'is' as const, texts });

it('a list of all orders, or of one product, goes by its own changes', () => {
  expect(toStepFilter({ filters: {}, quick: '' })).toEqual({ symbol: null, isWhole: true });
  expect(toStepFilter({ filters: { product: is('BUSZ26'), change: is('Added') }, quick: '' })).toEqual({
    symbol: 'BUSZ26',
    isWhole: true,
  });
});

it('any other filter lets changes of orders count that the list does not show, and names no account', () => {
  expect(toStepFilter({ filters: { product: is('BUSZ26'), account: is('ACME') }, quick: '' })).toEqual({
    symbol: 'BUSZ26',
    isWhole: false,
  });
  expect(toStepFilter({ filters: { product: is('BUSZ26', 'BUSH27') }, quick: '' })).toEqual({
    symbol: null,
    isWhole: false,
  });
  expect(toStepFilter({ filters: {}, quick: 'btc' })).toEqual({ symbol: null, isWhole: false });
});

const before = toRows(
  readOrders([{ id: '3', quantity_filled: 0, price: 125, avg_price: null }, { id: '2' }, { id: '1' }]),
);
const after = toRows(
  readOrders([{ id: '4' }, { id: '3', quantity_filled: 5, price: 130, avg_price: null }, { id: '2' }]),
);
const comparison = compareBooks(before, after);

it('say how an order differs, and its fields before and after', () => {
  const [change, edits] = createDifferenceColumns(comparison, false);
  expect(comparison.rows.map((row) => change?.text(row))).toEqual(['Added', 'Changed', 'Unchanged', 'Gone']);
  expect(edits?.text(comparison.rows[1] ?? (after[0] as never))).toMatch(/^Price .+ → .+, Filled 0 → 5 of /);
  expect(change?.compare?.('Added', 'Unchanged')).toBeLessThan(0);
});

it('are in the file, with the figures of the earlier time as digits', () => {
  const { heading, cells } = toAddedColumns(comparison, {
    completeness: { readTo: '2026-08-17T23:45:23Z' as Instant },
  });
  const lines = comparison.rows.map((row): Readonly<Record<string, unknown>> =>
    Object.fromEntries(cells(row).map((cell, place) => [heading[place] ?? '', cell] as const)),
  );
  expect(lines[0]).toMatchObject({ difference: 'added', price_ticks_before: null });
  expect(lines[1]).toMatchObject({
    difference: 'changed',
    compared_with_at: '2026-08-17T23:45:23Z',
    changed_fields: 'price quantity_filled',
    price_ticks_before: { digits: '125' },
    filled_quantity_contracts_before: { digits: '0' },
  });
  expect(lines[3]).toMatchObject({ difference: 'gone', changed_fields: '' });
});
