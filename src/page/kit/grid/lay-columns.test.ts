import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gridColumns as columns } from '#testing/grid-columns.ts';
import { defaultGridState, type GridState } from '#model/tables/grid.ts';
import { layColumns } from './plan-columns.ts';
import { openLibrary } from './change-columns.ts';

const defaults = defaultGridState(columns);

const placesOf = (part: Partial<GridState>) =>
  layColumns({ columns, state: { ...defaults, ...part } }).columns.map(({ column, x, width }) => [column.id, x, width]);

it('places all columns in their order', () => {
  expect(placesOf({})).toEqual([
    ['symbol', 0, 90],
    ['side', 90, 50],
    ['price', 140, 90],
    ['size', 230, 30],
    ['trend', 260, 90],
  ]);
});

it('applies order, widths and visibility', () => {
  const order = ['price', 'side', 'size', 'ack', 'trend', 'symbol'];
  expect(placesOf({ order, widths: { side: 40 }, hidden: ['trend'], pinned: { start: [], end: [] } })).toEqual([
    ['price', 0, 90],
    ['side', 90, 40],
    ['size', 130, 30],
    ['ack', 160, 90],
    ['symbol', 250, 90],
  ]);
});

it('places pinned columns at the edges in pinning order, and omits hidden ones', () => {
  const plan = layColumns({
    columns,
    state: { ...defaults, pinned: { start: ['price', 'symbol'], end: ['size'] }, hidden: ['symbol', 'ack'] },
  });
  expect(plan.columns.map(({ column, pin: side, x }) => [column.id, side, x])).toEqual([
    ['price', 'start', 0],
    ['side', null, 90],
    ['trend', null, 140],
    ['size', 'end', 0],
  ]);
  expect([plan.width, plan.startWidth, plan.endWidth]).toEqual([260, 90, 30]);
});

/** Generates some columns in any order, and one that no longer exists. */
const ids = fc.shuffledSubarray([...defaults.order, 'retired']);
const layouts = fc.record({
  order: ids,
  hidden: ids,
  pins: ids,
  widths: fc.dictionary(fc.constantFrom(...defaults.order), fc.integer({ min: 40, max: 800 })),
});

it('places columns where the table library does', () => {
  fc.assert(
    fc.property(layouts, fc.nat(7), ({ order, hidden, pins, widths }, cut) => {
      const state = { ...defaults, order, hidden, widths, pinned: { start: pins.slice(0, cut), end: pins.slice(cut) } };
      const library = openLibrary({ columns, state, set: () => undefined });
      const [start, center, end] = [
        library.getStartVisibleLeafColumns(),
        library.getCenterVisibleLeafColumns(),
        library.getEndVisibleLeafColumns(),
      ];
      const laid = layColumns({ columns, state }).columns.map(({ column, width }) => [column.id, width]);
      expect(laid).toEqual([...start, ...center, ...end].map((column) => [column.id, column.getSize()]));
    }),
  );
});
