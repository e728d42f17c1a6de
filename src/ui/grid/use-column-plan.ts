import { useMemo } from 'react';
import { planColumns, type ColumnPlan, type SizedColumn } from './plan-columns.ts';
import type { GridTable, LibraryColumn } from './use-grid-table.ts';

/** Column layout by the user’s order, widths, pins and visibility; the same one until any of these changes. */
export function useColumnPlan<Row>({ columns, state: { widths }, library }: GridTable<Row>): ColumnPlan<Row> {
  const start = library.getStartVisibleLeafColumns();
  const center = library.getCenterVisibleLeafColumns();
  const end = library.getEndVisibleLeafColumns();
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const sized = (from: readonly LibraryColumn[]): SizedColumn<Row>[] =>
      from.flatMap((each) => {
        const column = byId.get(each.id);
        return column === undefined ? [] : [{ column, width: each.getSize() }];
      });
    return planColumns({ start: sized(start), center: sized(center), end: sized(end) });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the library's columns take their sizes from `widths`
  }, [columns, widths, start, center, end]);
}
