import type { GridTable } from './grid-table.ts';
import { planColumns, type ColumnPlan, type SizedColumn } from './plan-columns.ts';

/**
 * Column layout by the user’s order, widths, pins and visibility, as the table library lays them out. The library, which
 * changes them, is a twelfth of the first screen: it loads with what handles keys and the pointer.
 */
export function layColumns<Row>({
  columns,
  state: { order, widths, hidden, pinned },
}: Pick<GridTable<Row>, 'columns' | 'state'>): ColumnPlan<Row> {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const byId = new Map(shown.map((column) => [column.id, { column, width: widths[column.id] ?? column.width }]));
  const sized = (ids: readonly string[]): SizedColumn<Row>[] => ids.flatMap((id) => byId.get(id) ?? []);
  const atEdges = new Set([...pinned.start, ...pinned.end]);
  // Columns that the order does not name come last.
  const ordered = [...new Set([...order, ...byId.keys()])];
  return planColumns({
    start: sized(pinned.start),
    center: sized(ordered.filter((id) => !atEdges.has(id))),
    end: sized(pinned.end),
  });
}
