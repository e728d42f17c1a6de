import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  constructTable,
  functionalUpdate,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { Column, Table, TableOptions, Updater } from '@tanstack/react-table';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import type { GridTable } from './grid-table.ts';

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});
/** Unlike its React hook, the library itself needs a store. */
const storedFeatures = tableFeatures({ ...features, coreReactivityFeature: storeReactivityBindings() });

type Features = typeof features;

/** The table library's view of a grid: columns without rows, each of which it would wrap in an object. */
export type LibraryTable = Table<Features, object>;
export type LibraryColumn = Column<Features, object>;

const NO_ROWS: object[] = [];
/** The library sorts only columns that have a value. */
const NO_VALUE = (): null => null;
/** Widths are limited when they change, not when they are read. */
const ANY_WIDTH = { minSize: 0 };

/** The library outside React, for one change of the state that the grid shows. */
export function openLibrary(table: GridTable<never>): LibraryTable {
  return constructTable({ ...toLibraryOptions(table), features: storedFeatures });
}

/** The library changes the state, which remains the screen's. */
export function toLibraryOptions({ columns, state, set }: GridTable<never>): TableOptions<Features, object> {
  const columnVisibility = Object.fromEntries(state.hidden.map((id) => [id, false]));
  const {
    sorts: sorting,
    order: columnOrder,
    widths: columnSizing,
    pinned: columnPinning,
  } = state as Mutable<GridState>;
  const change = <Name extends 'sorts' | 'order' | 'widths' | 'pinned'>(name: Name) => {
    return (updater: Updater<Mutable<GridState>[Name]>): void => {
      set({ ...state, [name]: functionalUpdate(updater, (state as Mutable<GridState>)[name]) });
    };
  };
  return {
    features,
    data: NO_ROWS,
    columns: columns.map(toDefinition),
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
  };
}

function toDefinition({ id, width, kind, unsorted = false }: GridColumn<never>) {
  return { id, size: width, accessorFn: NO_VALUE, enableSorting: !unsorted, sortDescFirst: kind === 'number' };
}

/** As the library declares states, which it does not mutate. */
type Mutable<Value> = Value extends ReadonlySet<unknown> | string
  ? Value
  : { -readonly [Name in keyof Value]: Mutable<Value[Name]> };
