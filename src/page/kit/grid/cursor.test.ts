import { expect, it } from 'vitest';
import { copySelection, describeCopy } from './copy-cells.ts';
import { Cursor } from './cursor.ts';
import { findShift } from './scroll.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import { sparseRows } from '#model/tables/arrange-rows.ts';
import { columnsInSight, planColumns } from './plan-columns.ts';

interface Row {
  readonly id: string;
  readonly size: number | null;
}

const id: GridColumn<Row> = {
  id: 'id',
  title: 'Order',
  kind: 'text',
  width: 100,
  text: (row) => row.id,
  value: (row) => row.id,
};
const size: GridColumn<Row> = {
  id: 'size',
  title: 'Size',
  unit: 'contracts',
  kind: 'number',
  width: 60,
  text: (row) => String(row.size ?? '–').replace('-', '−'),
  value: (row) => row.size,
};
const plan = planColumns({ start: [{ column: id, width: 100 }], center: [{ column: size, width: 60 }], end: [] });

function rowsOf(...ids: readonly (string | null)[]) {
  const rows = ids.map((each, index) => (each === null ? undefined : { id: each, size: index === 1 ? null : -index }));
  return sparseRows({ rowCount: rows.length, rowAt: (line) => rows[line], keyOf: (row: Row) => row.id });
}

it('stays on its row and column when rows are inserted and columns move', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('a', 'b', 'c');
  cursor.moveTo({ line: 1, place: 1 }, false, rows, plan);
  cursor.relocate(
    rowsOf('x', 'y', 'a', 'b', 'c'),
    planColumns({
      start: [],
      center: [
        { column: size, width: 60 },
        { column: id, width: 100 },
      ],
      end: [],
    }),
  );
  expect(cursor.spot).toMatchObject({ line: 3, place: 0 });
});

it('stays at its line, within the list, when its row is gone', () => {
  const cursor = new Cursor<Row>();
  cursor.moveTo({ line: 2, place: 0 }, false, rowsOf('a', 'b', 'c'), plan);
  cursor.relocate(rowsOf('a', 'b'), plan);
  expect(cursor.spot).toMatchObject({ line: 1, key: 'b' });
});

it('keeps a range between its two rows, and drops it when either is gone or the rows are rearranged', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('a', 'b', 'c');
  const begin = (): void => {
    cursor.moveTo({ line: 0, place: 0 }, false, rows, plan);
    cursor.moveTo({ line: 1, place: 1 }, true, rows, plan);
  };
  begin();
  cursor.relocate(rowsOf('x', 'a', 'b', 'c'), plan);
  expect(cursor.range).toEqual({ firstLine: 1, lastLine: 2, firstPlace: 0, lastPlace: 1 });
  cursor.relocate(rowsOf('x', 'b', 'c'), plan);
  expect(cursor.range).toBeNull();
  begin();
  cursor.relocate(rowsOf('c', 'b', 'a'), plan, false);
  expect(cursor.range).toBeNull();
});

it('follows its row after a rearrangement with focus, otherwise returns to the top', () => {
  const cursor = new Cursor<Row>();
  const place = (): void => {
    cursor.moveTo({ line: 1, place: 1 }, false, rowsOf('a', 'b', 'c'), plan);
  };
  place();
  cursor.relocate(rowsOf('c', 'a', 'b'), plan, false, true);
  expect(cursor.spot).toMatchObject({ line: 2, key: 'b', place: 1 });
  place();
  cursor.relocate(rowsOf('c', 'a', 'b'), plan, false, false);
  expect(cursor.spot).toMatchObject({ line: 0, key: 'c', place: 1 });
});

it('copies the active cell, a range, or the selected rows with a heading', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('=a', 'b', 'c');
  cursor.moveTo({ line: 0, place: 0 }, false, rows, plan);
  expect(copySelection(cursor, { rows, plan })?.text).toBe("'=a");
  cursor.moveTo({ line: 2, place: 1 }, true, rows, plan);
  expect(copySelection(cursor, { rows, plan })).toEqual({
    text: "'=a\t0\nb\t\nc\t-2",
    rows: 3,
    copied: 'cells of 3 rows',
    missing: 0,
  });
  cursor.moveTo({ line: 0, place: 0 }, false, rows, plan);
  cursor.toggle('c');
  expect(copySelection(cursor, { rows, plan })).toEqual({
    text: 'Order\tSize (contracts)\nc\t-2',
    rows: 1,
    copied: '1 row',
    missing: 0,
  });
});

it('keeps row and range while they are not loaded, and finds them again elsewhere', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('a', 'b', 'c');
  cursor.moveTo({ line: 2, place: 0 }, false, rows, plan);
  cursor.moveTo({ line: 1, place: 0 }, true, rows, plan);
  cursor.relocate(rowsOf('a', null, null), plan);
  expect([cursor.key, cursor.range]).toEqual(['b', { firstLine: 1, lastLine: 2, firstPlace: 0, lastPlace: 0 }]);
  cursor.relocate(rowsOf('a', null, null, null), plan);
  cursor.relocate(rowsOf('a', 'x', 'b', 'c'), plan);
  expect([cursor.spot, cursor.range]).toMatchObject([
    { line: 2, key: 'b' },
    { firstLine: 2, lastLine: 3 },
  ]);
});

it('counts selected rows that are filtered out or not loaded', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('a', 'b', 'c');
  cursor.moveTo({ line: 0, place: 0 }, false, rows, plan);
  cursor.moveTo({ line: 2, place: 0 }, true, rows, plan);
  expect(copySelection(cursor, { rows: rowsOf('a', null, null), plan })).toMatchObject({ text: 'a', missing: 2 });
  cursor.drop();
  for (const key of ['b', 'c']) cursor.toggle(key);
  expect(copySelection(cursor, { rows: rowsOf('a', 'b', null), plan })).toMatchObject({
    text: 'Order\tSize (contracts)\nb\t',
    missing: 1,
  });
  expect(copySelection(cursor, { rows: rowsOf('a', 'b'), plan })).toMatchObject({ copied: '1 row', missing: 1 });
});

it.each([
  ['1 cell', 0, 'Copied 1 cell.'],
  [
    '1 row',
    2,
    'Copied 1 row. The copy is INCOMPLETE: 2 selected rows are not shown (filtered, in a closed group, gone or not loaded).',
  ],
  [
    '1,999 rows',
    1,
    'Copied 1,999 rows. The copy is INCOMPLETE: 1 selected row is not shown (filtered, in a closed group, gone or not loaded).',
  ],
])('says that %s were copied and %i rows were not', (copied, missing, sentence) => {
  expect(describeCopy({ copied, missing })).toBe(sentence);
});

it('escapes ids among other cells from rounding, and copies a single id as it is', () => {
  const cursor = new Cursor<Row>();
  const rows = rowsOf('7674028327896836521', '007', '3e5');
  cursor.moveTo({ line: 0, place: 0 }, false, rows, plan);
  expect(copySelection(cursor, { rows, plan })?.text).toBe('7674028327896836521');
  cursor.moveTo({ line: 2, place: 0 }, true, rows, plan);
  expect(copySelection(cursor, { rows, plan })?.text).toBe("'7674028327896836521\n'007\n'3e5");
});

it('copies nothing from the header', () => {
  const cursor = new Cursor<Row>();
  cursor.moveTo({ line: -1, place: 0 }, false, rowsOf('a'), plan);
  expect(copySelection(cursor, { rows: rowsOf('a'), plan })).toBeNull();
});

const sight = { first: 1, count: 2, atTop: false, focus: null };

it('measures how far visible rows have moved by the first that is still present', () => {
  expect(findShift(rowsOf('a', 'b', 'c', 'd'), rowsOf('x', 'y', 'a', 'b', 'c', 'd'), sight)).toBe(2);
  expect(findShift(rowsOf('a', 'b', 'c', 'd'), rowsOf('x', 'y', 'a', 'c', 'd'), sight)).toBe(1);
  expect(findShift(rowsOf('a', null, 'c', 'd'), rowsOf('c', 'd'), sight)).toBe(-2);
  expect(findShift(rowsOf('a', 'b', 'c', 'd'), rowsOf('x'), sight)).toBe(0);
});

it('shows new rows at the top of a list at its top, unless a row there is active', () => {
  const [before, now] = [rowsOf('a', 'b'), rowsOf('x', 'a', 'b')];
  expect(findShift(before, now, { ...sight, first: 0, atTop: true })).toBe(0);
  expect(findShift(before, now, { ...sight, first: 0, atTop: true, focus: { line: 1, key: 'b' } })).toBe(1);
});

it('places pinned columns at both edges and the others between', () => {
  const column = (name: string) => ({ column: { ...id, id: name }, width: 100 });
  const { columns, width } = planColumns({
    start: [column('a'), column('b')],
    center: [column('c')],
    end: [column('d'), column('e')],
  });
  expect(width).toBe(500);
  expect(columns.map(({ column: { id: name }, x, edge, place }) => [name, x, edge, place])).toEqual([
    ['a', 0, false, 0],
    ['b', 100, true, 1],
    ['c', 200, false, 2],
    ['d', 100, true, 3],
    ['e', 0, false, 4],
  ]);
});

it('draws of sixty columns the pinned ones and those near the viewport', () => {
  const center = Array.from({ length: 60 }, (_, index) => ({ column: { ...id, id: String(index) }, width: 100 }));
  const wide = planColumns({ start: [{ column: id, width: 100 }], center, end: [] });
  const drawn = columnsInSight(wide, 2_000, 1_000).map(({ place }) => place);
  expect(drawn[0]).toBe(0);
  expect(drawn).toContain(21);
  expect(drawn).toContain(30);
  expect(drawn.length).toBeLessThan(25);
});
