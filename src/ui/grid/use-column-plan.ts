import { columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature, tableFeatures, useTable } from '@tanstack/react-table';
import type { Column, ColumnDef } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';
import { planColumns, type ColumnPlan, type SizedColumn } from './plan-columns.ts';

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature });
type Features = typeof features;

/** The table library keeps the columns; it is given no rows, which it would wrap one by one. */
const NO_ROWS: object[] = [];

/** Where the columns stand by the reader's order, widths, pins and choice. */
export function useColumnPlan<Row>(columns: readonly GridColumn<Row>[], state: GridState): ColumnPlan<Row> {
  const definitions = useMemo(() => columns.map(({ id, width }): ColumnDef<Features, object> => ({ id, size: width, minSize: 0 })), [columns]);
  const { order, widths, hidden, pinned } = state;
  const columnState = useMemo(
    () => ({
      columnOrder: [...order],
      columnSizing: { ...widths },
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnPinning: { start: [...pinned.start], end: [...pinned.end] },
    }),
    [order, widths, hidden, pinned],
  );
  const table = useTable({ features, columns: definitions, data: NO_ROWS, state: columnState });
  const start = table.getStartVisibleLeafColumns();
  const center = table.getCenterVisibleLeafColumns();
  const end = table.getEndVisibleLeafColumns();
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const sized = (from: readonly Column<Features, object>[]): SizedColumn<Row>[] =>
      from.flatMap((one) => {
        const column = byId.get(one.id);
        // Asked of the column, it would not tell that it has changed.
        return column === undefined ? [] : [{ column, width: widths[one.id] ?? one.getSize() }];
      });
    return planColumns({ start: sized(start), center: sized(center), end: sized(end) });
  }, [columns, widths, start, center, end]);
}
