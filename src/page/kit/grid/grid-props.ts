import type { GridColumn, GridFilter, GridState } from '#model/tables/grid.ts';
import type { Ref } from 'react';
import type { GridRows } from '#model/tables/arrange-rows.ts';

/**
 * The columns and the state of a grid. The state belongs to the screen, which keeps parts of it in its address and
 * parts in this browser.
 */
export interface GridTable<Row> {
  /** Must keep their identity between renders. */
  readonly columns: readonly GridColumn<Row>[];
  readonly state: GridState;
  readonly set: (next: GridState) => void;
}

/** What an update did to a row: added, gone, not covered by the update, or the columns that changed. */
export type GridMark = 'added' | 'gone' | 'unread' | ReadonlySet<string>;

/** Marks by row key, read only for the rows in view. */
export type GridMarks = Pick<ReadonlyMap<string, GridMark>, 'get' | 'size'>;

/** A cell with its row, valid while the element shows that row. */
export interface GridCell<Row> {
  readonly row: Row;
  readonly column: GridColumn<Row>;
  readonly element: HTMLElement;
}

/** Imperative handle for screens. */
export interface GridHandle {
  readonly focus: () => void;
  /** Makes a cell of the line active and scrolls it into view. */
  readonly goTo: (line: number, columnId?: string) => void;
  /** Moves the active cell by a number of lines. */
  readonly move: (lines: number) => void;
}

/** Imperative handle for screens that act on rows. */
export interface GridRowsHandle<Row> extends GridHandle {
  /** The active row, or all rows of the active group. */
  readonly active: () => readonly Row[];
}

export interface GridEvents<Row> {
  /** Enter or double click on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Space on a row or on a group of rows. Without it, Space selects the row. */
  readonly onTick?: ((rows: readonly Row[]) => void) | undefined;
  /** The user moved the active cell to another row. */
  readonly onActive?: ((row: Row) => void) | undefined;
  /** The keys of the selected rows, or of those in the selected cells, when they change. */
  readonly onSelect?: ((keys: ReadonlySet<string>) => void) | undefined;
  /** `i` on a cell, or Ctrl+I. */
  readonly onExplain?: ((place: GridCell<Row>) => void) | undefined;
  /** A click on a figure. */
  readonly onPeek?: ((place: GridCell<Row>) => void) | undefined;
  /** The user continued by keyboard, or the cell last clicked now shows another row. */
  readonly onPeekLost?: (() => void) | undefined;
  /** The pointer enters a cell, or leaves it (null). */
  readonly onPoint?: ((place: GridCell<Row> | null) => void) | undefined;
  /** Shift+F10, the menu key or a right click on a header. */
  readonly onColumnMenu?: ((columnId: string, head: HTMLElement) => void) | undefined;
  /** A sentence about what was selected or copied, already announced to screen readers. */
  readonly onAnnounce?: ((text: string) => void) | undefined;
  /** Whether the pointer has moved over the grid in the last seconds. Screens hold updates meanwhile. */
  readonly onBusy?: ((busy: boolean) => void) | undefined;
  /** The first and the last visible line, when they change. */
  readonly onWindow?: ((first: number, last: number) => void) | undefined;
  /** Less than two screens remain to the end; called once for each number of lines. */
  readonly onNearEnd?: (() => void) | undefined;
}

export interface GridOptions<Row> extends GridEvents<Row> {
  /** Whether single letters are shortcuts; true by default. */
  readonly letters?: boolean | undefined;
  /** Whether `f` filters by the active cell; true by default. */
  readonly filters?: boolean | undefined;
}

export interface GridProps<Row> extends GridOptions<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly table: GridTable<Row>;
  /** From `useGridRows` (all in memory) or `sparseRows` (some pages in memory). */
  readonly rows: GridRows<Row>;
  readonly marks?: GridMarks | undefined;
  /** Key of the row shown in a detail panel, which is marked wherever the active cell is. */
  readonly opened?: string | undefined;
  readonly handle?: Ref<GridRowsHandle<Row>> | Ref<GridHandle> | undefined;
  /** Makes the grid as high as its rows, so that the page scrolls and not the grid. */
  readonly fit?: boolean | undefined;
}

export function toggleGroup(state: GridState, key: string): GridState {
  const closed = new Set(state.closed);
  if (!closed.delete(key)) closed.add(key);
  return { ...state, closed };
}

/** Sets the filter of a column; null removes it. */
export function filterColumn(state: GridState, id: string, filter: GridFilter | null): GridState {
  const rest = Object.fromEntries(Object.entries(state.filters).filter(([other]) => other !== id));
  return { ...state, filters: filter === null ? rest : { ...rest, [id]: filter } };
}
