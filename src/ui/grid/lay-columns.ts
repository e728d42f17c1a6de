import { columnOrderingFeature, columnPinningFeature, columnVisibilityFeature, constructTable, tableFeatures } from '@tanstack/table-core';
import type { Column } from '@tanstack/table-core';
import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';
import { planColumns, type ColumnPlan, type SizedColumn } from './plan-columns.ts';
import { stillReactivity } from './still-reactivity.ts';

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnVisibilityFeature, coreReactivityFeature: stillReactivity });

/** The table library keeps the columns; it is given no rows, which it would wrap one by one. */
const NO_ROWS: object[] = [];

/** Where the columns stand by the reader's order, widths, pins and choice. */
export function layColumns<Row>(columns: readonly GridColumn<Row>[], { order, widths, hidden, pinned }: Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>): ColumnPlan<Row> {
  const table = constructTable({
    features,
    columns: columns.map(({ id }) => ({ id })),
    data: NO_ROWS,
    state: {
      columnOrder: [...order],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnPinning: { start: [...pinned.start], end: [...pinned.end] },
    },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const sized = (from: readonly Column<typeof features, object>[]): SizedColumn<Row>[] =>
    from.flatMap(({ id }) => {
      const column = byId.get(id);
      return column === undefined ? [] : [{ column, width: widths[id] ?? column.width }];
    });
  return planColumns({
    start: sized(table.getStartVisibleLeafColumns()),
    center: sized(table.getCenterVisibleLeafColumns()),
    end: sized(table.getEndVisibleLeafColumns()),
  });
}
