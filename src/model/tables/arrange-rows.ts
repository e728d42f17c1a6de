import type { GridColumn } from './grid-column.ts';
import { createLineOf, type GridRows } from './grid-rows.ts';
import type { GridState } from './grid-state.ts';
import { groupRows } from './row-groups.ts';
import type { RowOrder } from './row-order.ts';

/** All rows of a list held in memory, filtered, sorted and grouped. */
export interface ArrangedRows<Row> extends GridRows<Row> {
  /** Rows for sums and exports: those that pass the filter and count, in order, including those in closed groups. */
  readonly matching: () => readonly Row[];
}

export interface Arrangeable<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly arrangement: Pick<GridState, 'sorts' | 'grouping' | 'filters' | 'quick'>;
  readonly closed: ReadonlySet<string>;
  /** Rows that fail this are shown, but excluded from counts, sums and exports. */
  readonly isCounted: (row: Row) => boolean;
}

export function arrangeRows<Row>(arrangeable: Arrangeable<Row>, order: RowOrder): ArrangedRows<Row> {
  return order.groupKeys.length === 0 ? toPlain(arrangeable, order) : toGrouped(arrangeable, order);
}

function toPlain<Row>(
  { rows, keyOf, arrangement, isCounted }: Arrangeable<Row>,
  { indices }: RowOrder,
): ArrangedRows<Row> {
  const count = indices?.length ?? rows.length;
  const rowAt = (line: number): Row | undefined => rows[indices === null ? line : (indices[line] ?? -1)];
  const keyAt = (line: number): string | undefined => toKey(rowAt(line), keyOf);
  const matching = (): readonly Row[] =>
    (indices === null ? rows : Array.from(indices, (index) => rows[index] as Row)).filter(isCounted);
  return { count, rowAt, groupAt: () => undefined, keyAt, lineOf: createLineOf(count, keyAt), arrangement, matching };
}

function toGrouped<Row>(arrangeable: Arrangeable<Row>, order: RowOrder): ArrangedRows<Row> {
  const { rows, columns, keyOf, arrangement, closed, isCounted } = arrangeable;
  const grouping = arrangement.grouping.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const { lines, groups } = groupRows(order, { rows, columns: grouping, closed, isCounted });
  const rowAt = (line: number): Row | undefined => rows[lines[line] ?? -1];
  const groupAt: GridRows<Row>['groupAt'] = (line) => groups[-1 - (lines[line] ?? 0)];
  const keyAt = (line: number): string | undefined => groupAt(line)?.key ?? toKey(rowAt(line), keyOf);
  return {
    ...toPlain(arrangeable, order),
    count: lines.length,
    rowAt,
    groupAt,
    keyAt,
    lineOf: createLineOf(lines.length, keyAt),
  };
}

function toKey<Row>(row: Row | undefined, keyOf: (row: Row) => string): string | undefined {
  return row === undefined ? undefined : keyOf(row);
}
