import { useMemo } from 'react';
import type { GridTable } from './grid-table.ts';
import { layColumns } from './lay-columns.ts';
import type { ColumnPlan } from './plan-columns.ts';

/** The column layout; the same one until the user changes it. */
export function useColumnPlan<Row>({ columns, state }: GridTable<Row>): ColumnPlan<Row> {
  const { order, widths, hidden, pinned } = state;
  // oxlint-disable-next-line react/exhaustive-deps -- other parts of the state, such as filters, do not affect the layout
  return useMemo(() => layColumns({ columns, state }), [columns, order, widths, hidden, pinned]);
}
