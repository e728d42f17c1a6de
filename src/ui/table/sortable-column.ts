import type { ReactNode } from 'react';
import type { Fact } from '../fact-list.tsx';
import type { SortValue } from './compare-values.ts';

/** What explains a cell: to the pointer that rests on it, and to the keyboard by `i`. */
export interface CellNote {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export interface SortableColumn<Row> {
  readonly id: string;
  readonly name: string;
  readonly unit?: string | undefined;
  /** Only read out where the name would take too much room. */
  readonly nameHidden?: boolean;
  readonly numeric?: boolean;
  /** What it is sorted by; undefined comes last both ways. A column without it cannot be sorted. */
  readonly sortBy?: (row: Row) => SortValue | undefined;
  readonly cell: (row: Row) => ReactNode;
  readonly note?: (row: Row) => CellNote | null;
}

/** Rows that belong together, with a heading and what they sum up to by the column's id. */
export interface TableSection<Row> {
  readonly key: string;
  readonly heading: ReactNode;
  readonly sums: ReadonlyMap<string, ReactNode>;
  readonly rows: readonly Row[];
  /** Only its heading is shown. */
  readonly closed?: boolean;
}
