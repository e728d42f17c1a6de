import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';
import { toRowFilter } from './row-filter.ts';
import { toSortKeys } from './sort-keys.ts';

/** One number a row, smaller where the row comes earlier. */
type Level = Float64Array;

type Arrangement = Pick<GridState, 'sorts' | 'grouping' | 'filters' | 'quick'>;

/** Indices of the rows that pass the filter, in order, and the sort keys of the grouping columns. */
export interface RowOrder {
  /** Null: every row in its original order. */
  readonly indices: Uint32Array | null;
  readonly groupKeys: readonly Float64Array[];
}

/**
 * Filters and sorts by index. The table library's row models build an object for each row and step: eight times the heap
 * and four times the time with ten thousand rows.
 */
export function orderRows<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  arrangement: Arrangement,
  isCounted: (row: Row) => boolean,
  passes = toRowFilter(columns, arrangement),
): RowOrder {
  const passed = filterRows(rows, passes);
  const { groups, rest } = toLevels(rows, columns, arrangement);
  if (groups.length + rest.length === 0) return { indices: passed, groupKeys: [] };
  const indices = passed ?? Uint32Array.from({ length: rows.length }, (_, index) => index);
  const [sort] = arrangement.sorts;
  const subtotal = columns.find(({ id }) => id === sort?.id)?.subtotal;
  const totalOf = (members: readonly number[]): number =>
    subtotal?.(members.map((index) => rows[index] as Row).filter(isCounted)).value ?? NaN;
  // Groups are sorted by their total in the primary sort column, if it has totals; otherwise, and between equal totals, by name.
  const toRank = (depth: number): Level =>
    toLevelKeys(toGroupTotals(indices, groups.slice(0, depth + 1), totalOf), sort?.desc);
  sortIndices(indices, [
    ...groups.flatMap((keys, depth) => (subtotal === undefined ? [keys] : [toRank(depth), keys])),
    ...rest,
  ]);
  return { indices, groupKeys: groups };
}

/** For each row the total of its group, so that groups sort like values. */
function toGroupTotals(
  indices: Uint32Array,
  groups: readonly Level[],
  totalOf: (members: readonly number[]) => number,
): Float64Array {
  const totals = new Float64Array(groups[0]?.length ?? 0);
  for (const members of Map.groupBy(indices, (index) => groups.map((keys) => keys[index]).join()).values()) {
    const total = totalOf(members);
    for (const index of members) totals[index] = total;
  }
  return totals;
}

function filterRows<Row>(rows: readonly Row[], passes: ((row: Row) => boolean) | null): Uint32Array | null {
  if (passes === null) return null;
  const passing = new Uint32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index++) if (passes(rows[index] as Row)) passing[count++] = index;
  return passing.slice(0, count);
}

/** Grouping columns first, then sort columns; a column that does both groups in its sort direction. */
function toLevels<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], { sorts, grouping }: Arrangement) {
  const toLevel = (id: string, desc: boolean): Level[] => {
    const column = columns.find((each) => each.id === id);
    return column === undefined ? [] : [toLevelKeys(toSortKeys(column, rows), desc)];
  };
  const groups = grouping.flatMap((id) => toLevel(id, sorts.find((sort) => sort.id === id)?.desc ?? false));
  const rest = sorts.filter(({ id }) => !grouping.includes(id)).flatMap(({ id, desc }) => toLevel(id, desc));
  return { groups, rest };
}

/** Missing values come last in either direction. */
function toLevelKeys(keys: Float64Array, desc = false): Level {
  const sign = desc ? -1 : 1;
  return keys.map((key) => (Number.isNaN(key) ? Infinity : sign * key));
}

function sortIndices(indices: Uint32Array, levels: readonly Level[]): void {
  const [first] = levels;
  if (first === undefined) return;
  if (levels.length === 1) {
    // The difference of two missing values is NaN, which falls through to the index.
    indices.sort((a, b) => (first[a] ?? 0) - (first[b] ?? 0) || a - b);
    return;
  }
  indices.sort((a, b) => {
    for (const keys of levels) {
      const order = (keys[a] ?? 0) - (keys[b] ?? 0);
      if (order < 0 || order > 0) return order;
    }
    return a - b;
  });
}
