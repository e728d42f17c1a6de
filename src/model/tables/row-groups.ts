import type { RowOrder } from './row-order.ts';

/** Rows that share a value, as one line of the grid. */
export interface GridGroup<Row> {
  /** Identifies the group regardless of row order. */
  readonly key: string;
  readonly columnId: string;
  readonly depth: number;
  /** The shared value, as its column shows it. */
  readonly text: string;
  readonly open: boolean;
  readonly count: number;
  /** The group’s rows that count. */
  readonly rows: () => readonly Row[];
}

interface Grouped<Row> {
  /** Index of a row or, below zero, -1 - index of a group. */
  readonly lines: Int32Array;
  readonly groups: readonly GridGroup<Row>[];
}

interface Grouping<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly { readonly id: string; readonly text: (row: Row) => string }[];
  readonly closed: ReadonlySet<string>;
  /** Rows that fail this are shown, but excluded from counts and sums. */
  readonly isCounted: (row: Row) => boolean;
}

/** Rows in order, with a line before each group, without the rows of closed groups. */
export function groupRows<Row>(
  { indices, groupKeys }: RowOrder,
  { rows, columns, closed, isCounted }: Grouping<Row>,
): Grouped<Row> {
  const order = indices ?? new Uint32Array();
  const groups: GridGroup<Row>[] = [];
  const lines: number[] = [];
  const walk = (from: number, to: number, depth: number, path: string): void => {
    const keys = groupKeys[depth];
    const column = columns[depth];
    if (keys === undefined || column === undefined) {
      for (let at = from; at < to; at++) lines.push(order[at] ?? 0);
      return;
    }
    for (let start = from; start < to;) {
      const end = endOfRun(order, keys, start, to);
      const text = column.text(rows[order[start] ?? 0] as Row);
      const key = `${path}/${encodeURIComponent(text)}`;
      const open = !closed.has(key);
      const counted = order.subarray(start, end).filter((index) => isCounted(rows[index] as Row));
      lines.push(-1 - groups.length);
      groups.push({ key, columnId: column.id, depth, text, open, count: counted.length, rows: rowsOf(rows, counted) });
      if (open) walk(start, end, depth + 1, key);
      start = end;
    }
  };
  walk(0, order.length, 0, '');
  return { lines: Int32Array.from(lines), groups };
}

function rowsOf<Row>(rows: readonly Row[], indices: Uint32Array): () => readonly Row[] {
  return () => Array.from(indices, (index) => rows[index] as Row);
}

function endOfRun(order: Uint32Array, keys: Float64Array, start: number, to: number): number {
  const key = keys[order[start] ?? 0] ?? NaN;
  let end = start + 1;
  while (end < to && Object.is(keys[order[end] ?? 0], key)) end++;
  return end;
}
