import type { GridGroup } from './row-groups.ts';

/** The lines of a grid: rows, groups of rows, and places whose row is not in memory. */
export interface GridRows<Row> {
  readonly count: number;
  /** There may be more behind the last: how many there are is not known. */
  readonly mayGrow?: boolean;
  /** Undefined for a group, and for a row that is not in memory. */
  readonly rowAt: (line: number) => Row | undefined;
  readonly groupAt: (line: number) => GridGroup<Row> | undefined;
  /** Of a row or a group; undefined where it is not in memory. */
  readonly keyAt: (line: number) => string | undefined;
  /** The line with a key, looked for from a line outwards; -1 where there is none. */
  readonly lineOf: (key: string, near: number) => number;
  /** Changes identity when the reader re-arranges the rows, not when data refresh. Scroll position survives only a refresh. */
  readonly arrangement: unknown;
}

interface SparseRows<Row> {
  /** Of all rows, in memory or not. */
  readonly rowCount: number;
  readonly mayGrow?: boolean;
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string;
  /** Another identity for another question: the grid then starts at its top. */
  readonly question?: unknown;
}

/** Lines of a list of which only some pages are in memory. */
export function sparseRows<Row>({ rowCount, mayGrow = false, rowAt, keyOf, question }: SparseRows<Row>): GridRows<Row> {
  const keyAt = (line: number): string | undefined => {
    const row = rowAt(line);
    return row === undefined ? undefined : keyOf(row);
  };
  return { count: rowCount, mayGrow, rowAt, groupAt: () => undefined, keyAt, lineOf: createLineOf(rowCount, keyAt), arrangement: question };
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
