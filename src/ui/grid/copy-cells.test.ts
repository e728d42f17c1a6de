import { expect, it } from 'vitest';
import { copySelection } from './copy-cells.ts';
import type { GridColumn } from './grid-column.ts';
import { sparseRows } from './grid-rows.ts';
import { planColumns } from './plan-columns.ts';

const column: GridColumn<number> = { id: 'age', title: 'Age', kind: 'number', width: 100, text: (age) => `● ${String(age)} h`, copied: (age) => `${String(age)} h`, value: (age) => age };

it('a mark for the eye is not copied', () => {
  const scene = { plan: planColumns({ start: [], center: [{ column, width: 100 }], end: [] }), rows: sparseRows({ rowCount: 1, rowAt: () => 30, keyOf: String }) };
  const spot = { line: 0, place: 0 };
  expect(copySelection({ range: null, selected: new Set(), spot }, scene)?.text).toBe('30 h');
  expect(copySelection({ range: null, selected: new Set(['30']), spot }, scene)?.text).toBe('Age\n30 h');
});
