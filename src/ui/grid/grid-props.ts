import type { Ref } from 'react';
import type { GridColumn } from './grid-column.ts';
import type { GridRows } from './grid-rows.ts';
import type { GridState } from './grid-state.ts';

/** What an update did to a row: it came, it went, it was not told of, or these columns of it changed. */
export type GridMark = 'added' | 'gone' | 'unread' | ReadonlySet<string>;

/** A cell with a row, for as long as the element shows it. */
export interface GridPlace<Row> {
  readonly row: Row;
  readonly column: GridColumn<Row>;
  readonly element: HTMLElement;
}

/** What a screen may tell its grid to do. */
export interface GridHandle {
  readonly focus: () => void;
  /** Puts the keyboard's place on a row, in a column if one is named, and brings it into sight. */
  readonly goTo: (line: number, columnId?: string) => void;
}

export interface GridEvents<Row> {
  readonly onState: (state: GridState) => void;
  /** Enter, or two clicks, on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** `i` on a cell, or Ctrl+I. */
  readonly onNote?: ((place: GridPlace<Row>) => void) | undefined;
  /** The pointer rests on a cell, or leaves it (null). */
  readonly onPoint?: ((place: GridPlace<Row> | null) => void) | undefined;
  /** Shift+F10, the menu key or the second button on a head. */
  readonly onColumnMenu?: ((columnId: string, head: HTMLElement) => void) | undefined;
  /** What was selected or copied, and what of it was not, in a sentence that screen readers are told already. */
  readonly onTold?: ((told: string) => void) | undefined;
  /** Whether the pointer is over the grid or the keyboard in it: then a screen holds its updates. */
  readonly onBusy?: ((busy: boolean) => void) | undefined;
  /** The first and the last line in sight, whenever they change. */
  readonly onWindow?: ((first: number, last: number) => void) | undefined;
  /** Less than two screens from the end, once for each number of lines. */
  readonly onNearEnd?: (() => void) | undefined;
}

export interface GridManner<Row> extends GridEvents<Row> {
  /** Whether letters without Ctrl are keys of it; they are where nothing else is said. */
  readonly letters?: boolean | undefined;
  /** Whether its rows are filtered by what is in it; they are where nothing else is said. */
  readonly filters?: boolean | undefined;
}

export interface GridProps<Row> extends GridManner<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** From `useGridRows` (all in memory) or `sparseRows` (some pages in memory). */
  readonly rows: GridRows<Row>;
  readonly state: GridState;
  /** By the row's key. */
  readonly marks?: ReadonlyMap<string, GridMark> | undefined;
  /** The key of the row that something beside the grid is about: it is marked, wherever the keyboard is. */
  readonly opened?: string | undefined;
  readonly handle?: Ref<GridHandle> | undefined;
  /** As high as its rows: the page scrolls, and not the grid. */
  readonly fit?: boolean | undefined;
}
