import { expect, it } from 'vitest';
import { compareBooks } from '../../orders/compare-books.ts';
import { readOrders, toRows } from '#testing/order-rows.ts';
import type { GridFilter } from '../grid-state.ts';
import { textColumn } from './column-kinds.ts';
import { createDifferenceColumns } from './difference-columns.ts';
import { findUnchanged } from './find-unchanged.ts';

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
