import { expect, it } from 'vitest';
import { readOrders, toRows } from '#testing/order-rows.ts';
import { readListState, writeListState } from '../list-state/list-query.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { findExtent } from '#model/tables/orders/column-facts.ts';
import { countFound, isOn, QUICK_FILTERS, toggleQuickFilter } from '#model/tables/orders/quick-filters.ts';

const columns = createOrderColumns({ mostDigits: 2, zone: 'utc', isNarrow: false });
const all = QUICK_FILTERS.flatMap(({ filters }) => filters);
const rows = toRows(
  readOrders([
    { id: '1', time: '2026-08-17T23:59:00Z' },
    { id: '2', time: '2026-08-16T12:00:00Z' },
    { id: '3', time: '2026-08-01T00:00:00Z' },
  ]),
).map((row, index) => ({ ...row, duplicates: index, twins: Math.floor(index / 2) }));

it.each(all)('"$label" consists of ordinary filters of columns, which an address keeps', (quick) => {
  const query = new URLSearchParams();
  writeListState(query, { sorts: [], grouping: [], quick: '', view: '', columns: null, filters: quick.filters });
  const state = readListState(
    query,
    columns.map(({ id }) => id),
  );
  expect(isOn(quick, state)).toBe(true);
  expect(toggleQuickFilter(state, quick, false).filters).toEqual({});
});

it.each([
  ['Accepted more than 1 day ago', 2],
  ['Accepted more than 1 week ago', 1],
  ['Accepted more than 365 days ago', 0],
  ['Same account, product, side and price', 2],
  ['Same quantity too', 1],
  // Without a market price, distances are unknown.
  ['20 % or more away', null],
])('"%s" finds %s', (label, count) => {
  const quick = all.find((one) => one.label === label);
  expect(quick && countFound(rows, columns, quick)).toBe(count);
});

it('finds none without orders', () => {
  expect(all.map((quick) => countFound([], columns, quick))).toEqual(all.map(() => 0));
});

it('the extent of a column leaves out missing values', () => {
  const extentOf = (id: string) =>
    columns.filter((column) => column.id === id).map((column) => findExtent(rows, column));
  expect([extentOf('duplicates'), extentOf('distance')]).toEqual([[[0, 2]], [null]]);
});
