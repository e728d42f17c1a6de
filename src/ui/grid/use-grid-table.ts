import { columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature, functionalUpdate, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import type { Column, ReactTable, Updater } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnSizingFeature, columnVisibilityFeature, rowSortingFeature });

/** The table library's view of a grid: columns without rows, each of which it would wrap in an object. */
export type LibraryTable = ReactTable<typeof features, object, null>;
export type LibraryColumn = Column<typeof features, object>;

const NO_ROWS: object[] = [];
/** The library sorts only columns that have a value. */
const NO_VALUE = (): null => null;
/** Widths are limited when they change, not when they are read. */
const ANY_WIDTH = { minSize: 0 };

interface GridTableOptions<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly state: GridState;
  readonly set: (next: GridState) => void;
}

/** A grid's columns and state. The library lays the columns out and changes the state. */
export interface GridTable<Row> extends GridTableOptions<Row> {
  readonly library: LibraryTable;
}

/** The state is the screen's, which keeps parts of it in its address and parts in this browser. `columns` must keep their identity between renders. */
export function useGridTable<Row>({ columns, state, set }: GridTableOptions<Row>): GridTable<Row> {
  const { hidden } = state;
  const definitions = useMemo(() => columns.map(toDefinition), [columns]);
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden]);
  const { sorts: sorting, order: columnOrder, widths: columnSizing, pinned: columnPinning } = state as Mutable<GridState>;
  const change = <Name extends 'sorts' | 'order' | 'widths' | 'pinned'>(name: Name) => {
    return (updater: Updater<Mutable<GridState>[Name]>): void => {
      set({ ...state, [name]: functionalUpdate(updater, (state as Mutable<GridState>)[name]) });
    };
  };
  const library = useTable(
    {
      features,
      data: NO_ROWS,
      columns: definitions,
      defaultColumn: ANY_WIDTH,
      state: { sorting, columnOrder, columnSizing, columnPinning, columnVisibility },
      onSortingChange: change('sorts'),
      onColumnOrderChange: change('order'),
      onColumnSizingChange: change('widths'),
      onColumnPinningChange: change('pinned'),
      onColumnVisibilityChange: (updater) => {
        const next = Object.entries(functionalUpdate(updater, columnVisibility));
        set({ ...state, hidden: next.flatMap(([id, isVisible]) => (isVisible ? [] : [id])) });
      },
    },
    selectNothing,
  );
  return { columns, state, set, library };
}

/** The screen renders its state, so that nothing need be subscribed to. */
function selectNothing(): null {
  return null;
}

function toDefinition({ id, width, kind, unsorted = false }: GridColumn<never>) {
  return { id, size: width, accessorFn: NO_VALUE, enableSorting: !unsorted, sortDescFirst: kind === 'number' };
}

/** As the library declares states, which it does not mutate. */
type Mutable<Value> = Value extends ReadonlySet<unknown> | string ? Value : { -readonly [Name in keyof Value]: Mutable<Value[Name]> };
