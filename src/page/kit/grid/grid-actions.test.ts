import { expect, it } from 'vitest';
import { Cursor } from './cursor.ts';
import { GridActions } from './grid-actions.ts';
import { defaultGridState, type GridColumn } from '#model/tables/grid.ts';
import { type GridRows, sparseRows } from '#model/tables/arrange-rows.ts';
import type { GridSurface } from './grid-surface.ts';
import { planColumns } from './plan-columns.ts';

interface Row {
  readonly id: string;
}

const column: GridColumn<Row> = {
  id: 'id',
  title: 'Id',
  kind: 'text',
  width: 100,
  text: ({ id }) => id,
  value: ({ id }) => id,
};
const state = defaultGridState([column]);
const plan = planColumns({ start: [], center: [{ column, width: 100 }], end: [] });

function rowsOf(ids: readonly (string | undefined)[]): GridRows<Row> {
  return sparseRows({
    rowCount: ids.length,
    rowAt: (index) => (ids[index] === undefined ? undefined : { id: ids[index] }),
    keyOf: ({ id }) => id,
  });
}

/** Creates only the parts of a surface that selecting needs; the rest of it draws. */
function startGrid(ids: readonly (string | undefined)[]) {
  const cursor = new Cursor<Row>();
  const announced: string[] = [];
  const surface = { cursor, active: null, scene: { rows: rowsOf(ids), plan, state }, draw: () => undefined };
  const actions = new GridActions(surface as unknown as GridSurface<Row>, {
    options: { onAnnounce: (text) => announced.push(text) },
  });
  const press = (line: number, isExtended: boolean): void => {
    cursor.moveTo({ line, place: 0 }, false, surface.scene.rows, plan);
    actions.run({ type: 'select', extends: isExtended });
  };
  const show = (next: readonly (string | undefined)[]): void => {
    surface.scene.rows = rowsOf(next);
  };
  return { cursor, announced, press, show };
}

it('Shift+Space selects all rows from the last one selected', () => {
  const { cursor, announced, press } = startGrid(['a', 'b', 'c', 'd']);
  press(0, false);
  press(2, true);
  expect([...cursor.selected].toSorted()).toEqual(['a', 'b', 'c']);
  expect(announced).toEqual(['Selected 3 rows.']);
});

it('Shift+Space selects upwards too', () => {
  const { cursor, press } = startGrid(['a', 'b', 'c', 'd']);
  press(3, false);
  press(1, true);
  expect([...cursor.selected].toSorted()).toEqual(['b', 'c', 'd']);
});

it('Shift+Space starts from the row that was selected, wherever an update has moved it', () => {
  const { cursor, press, show } = startGrid(['a', 'b', 'c']);
  press(0, false);
  show(['x', 'y', 'a', 'b', 'c']);
  press(4, true);
  expect([...cursor.selected].toSorted()).toEqual(['a', 'b', 'c']);
});

it('Shift+Space selects only its own row where none was selected before, or that one is gone', () => {
  const { cursor, press, show } = startGrid(['a', 'b', 'c']);
  press(1, true);
  expect([...cursor.selected]).toEqual(['b']);
  cursor.drop();
  press(0, false);
  show(['b', 'c']);
  press(1, true);
  expect([...cursor.selected].toSorted()).toEqual(['a', 'c']);
});

it('Shift+Space reports rows between that are not loaded', () => {
  const { announced, press } = startGrid(['a', undefined, 'c']);
  press(0, false);
  press(2, true);
  expect(announced).toEqual(['Selected 2 rows; 1 row NOT selected: not loaded.']);
});
