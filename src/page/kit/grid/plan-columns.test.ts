import { describe, expect, it } from 'vitest';
import type { GridColumn } from '#model/tables/grid.ts';
import { columnsInSight, planColumns } from './plan-columns.ts';

function planOf(count: number) {
  const sized = Array.from({ length: count }, (_, index) => {
    const column: GridColumn<string> = {
      id: `c${String(index)}`,
      title: '',
      kind: 'text',
      width: 100,
      text: String,
      value: String,
    };
    return { column, width: 100 };
  });
  return planColumns({ start: sized.slice(0, 1), center: sized.slice(1), end: [] });
}

const idsOf = (drawn: ReturnType<typeof columnsInSight<string>>): readonly string[] =>
  drawn.map(({ column }) => column.id);

describe('drawn columns', () => {
  it('are all columns where there are few, within few viewports', () => {
    expect(columnsInSight(planOf(18), 0, 600)).toHaveLength(18);
  });

  it('are the pinned ones and those near the viewport where it is narrow', () => {
    expect(idsOf(columnsInSight(planOf(18), 0, 400))).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
    const rest = Array.from({ length: 14 }, (_, index) => `c${String(index + 4)}`);
    expect(idsOf(columnsInSight(planOf(18), 900, 400))).toEqual(['c0', ...rest]);
  });
});
