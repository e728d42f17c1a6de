import { expect, it } from 'vitest';
import { defaultGridState, type GridState } from './grid-state.ts';
import { layColumns } from './lay-columns.ts';

const columns = ['star', 'symbol', 'price', 'volume', 'orders'].map((id) => ({ id, title: id, kind: 'text' as const, width: 100, text: () => id, value: () => id }));
const defaults = defaultGridState(columns);

function placesOf(change: Partial<GridState>): readonly (readonly [id: string, x: number, width: number])[] {
  return layColumns(columns, { ...defaults, ...change }).columns.map(({ column, x, width }) => [column.id, x, width]);
}

it('places all columns in their order', () => {
  expect(placesOf({})).toEqual([['star', 0, 100], ['symbol', 100, 100], ['price', 200, 100], ['volume', 300, 100], ['orders', 400, 100]]);
});

it('applies order, widths and visibility', () => {
  expect(placesOf({ order: ['price', 'star', 'orders', 'volume', 'symbol'], widths: { star: 40 }, hidden: ['volume'] })).toEqual([['price', 0, 100], ['star', 100, 40], ['orders', 140, 100], ['symbol', 240, 100]]);
});

it('places pinned columns at the edges in pinning order, and omits hidden ones', () => {
  const plan = layColumns(columns, { ...defaults, pinned: { start: ['volume', 'star'], end: ['orders'] }, hidden: ['star'] });
  expect(plan.columns.map(({ column, pin, x }) => [column.id, pin, x])).toEqual([['volume', 'start', 0], ['symbol', null, 100], ['price', null, 200], ['orders', 'end', 0]]);
  expect([plan.width, plan.startWidth, plan.endWidth]).toEqual([400, 100, 100]);
});
