import type { GridGroup } from './row-groups.ts';

/** The lines of a grid: rows, groups of rows, and places whose row is not in memory. */
export interface GridRows<Row> {
  readonly count: number;
  /** There may be more after the last; the total is unknown. */
  readonly mayGrow?: boolean;
  /** Undefined for a group, and for a row that is not in memory. */
  readonly rowAt: (line: number) => Row | undefined;
  readonly groupAt: (line: number) => GridGroup<Row> | undefined;
  /** Of a row or a group; undefined where it is not in memory. */
  readonly keyAt: (line: number) => string | undefined;
  /** The line with a key, searched outwards from a line; -1 where there is none. */
  readonly lineOf: (key: string, near: number) => number;
  /** Changes identity when the user rearranges rows, not when data refresh. The scroll position survives only a refresh. */
  readonly arrangement: unknown;
}

interface SparseRows<Row> {
  /** Of all rows, in memory or not. */
  readonly rowCount: number;
  readonly mayGrow?: boolean;
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  /** Another identity for another query: the grid then starts at its top. */
  readonly queryKey?: unknown;
}

/** Lines of a list of which only some pages are in memory. */
export function sparseRows<Row>({ rowCount, mayGrow = false, rowAt, keyOf, queryKey }: SparseRows<Row>): GridRows<Row> {
  const keyAt = (line: number): string | undefined => {
    const row = rowAt(line);
    return row === undefined ? undefined : keyOf(row);
  };
  return {
    count: rowCount,
    mayGrow,
    rowAt,
    groupAt: () => undefined,
    keyAt,
    lineOf: createLineOf(rowCount, keyAt),
    arrangement: queryKey,
  };
}

export function createLineOf(count: number, keyAt: (line: number) => string | undefined): GridRows<unknown>['lineOf'] {
  return (key, near) => {
    const farthest = Math.max(near, count - near);
    for (let away = 0; away <= farthest; away++) {
      if (near + away < count && keyAt(near + away) === key) return near + away;
      if (near - away >= 0 && near - away < count && keyAt(near - away) === key) return near - away;
    }
    return -1;
  };
}
