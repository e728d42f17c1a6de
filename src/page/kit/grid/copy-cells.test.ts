import { expect, it } from 'vitest';
import { copySelection } from './copy-cells.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import { sparseRows } from '#model/tables/arrange-rows.ts';
import { planColumns } from './plan-columns.ts';

const column: GridColumn<number> = {
  id: 'age',
  title: 'Age',
  kind: 'number',
  width: 100,
  text: (age) => `● ${String(age)} h`,
  copied: (age) => `${String(age)} h`,
  value: (age) => age,
};

it('a mark for the eye is not copied', () => {
  const scene = {
    plan: planColumns({ start: [], center: [{ column, width: 100 }], end: [] }),
    rows: sparseRows({ rowCount: 1, rowAt: () => 30, keyOf: String }),
  };
  const spot = { line: 0, place: 0 };
  expect(copySelection({ range: null, selected: new Set(), spot }, scene)?.text).toBe('30 h');
  expect(copySelection({ range: null, selected: new Set(['30']), spot }, scene)?.text).toBe('Age\n30 h');
});

it('a column that a spreadsheet would misread in one row is escaped in all rows, and no other', () => {
  const toColumn = (id: string, texts: readonly string[]): GridColumn<number> => ({
    id,
    title: id,
    kind: 'text',
    width: 100,
    text: (row) => texts[row] ?? '',
    value: (row) => texts[row] ?? null,
  });
  const columns = [toColumn('connection', ['76960433', 'a0076581']), toColumn('side', ['Bid', 'Ask'])];
  const scene = {
    plan: planColumns({ start: [], center: columns.map((column) => ({ column, width: 100 })), end: [] }),
    rows: sparseRows({ rowCount: 2, rowAt: (index) => index, keyOf: String }),
  };
  const spot = { line: 0, place: 0 };
  expect(copySelection({ range: null, selected: new Set(['0', '1']), spot }, scene)?.text).toBe(
    "connection\tside\n'76960433\tBid\n'a0076581\tAsk",
  );
  expect(
    copySelection(
      { range: { firstLine: 0, lastLine: 1, firstPlace: 0, lastPlace: 0 }, selected: new Set(), spot },
      scene,
    )?.text,
  ).toBe("'76960433\n'a0076581");
});
