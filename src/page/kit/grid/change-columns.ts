import {
  type Column,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  constructTable,
  functionalUpdate,
  rowSortingFeature,
  type Table,
  tableFeatures,
  type TableOptions,
  type Updater,
} from '@tanstack/react-table';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import type { GridColumn, GridState } from '#model/tables/grid.ts';
import type { GridTable } from './grid-props.ts';

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

/** The table library’s view of a grid: columns but no rows, because it would wrap each row in an object. */
export type LibraryTable = Table<Features, object>;
export type LibraryColumn = Column<Features, object>;

const NO_ROWS: object[] = [];
/** The library sorts only columns that have a value. */
const NO_VALUE = (): null => null;
/** Widths are limited when they change, not when they are read. */
const ANY_WIDTH = { minSize: 0 };

/** Opens the library outside React, for one change of the grid’s state. */
export function openLibrary(table: GridTable<never>): LibraryTable {
  return constructTable({ ...toLibraryOptions(table), features: storedFeatures });
}

/** Translates a grid’s table into options of the library, whose changes go to the screen, which owns the state. */
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

function toDefinition({ id, width, kind, unsorted = false, smallestFirst = false }: GridColumn<never>) {
  const sortDescFirst = kind === 'number' && !smallestFirst;
  return { id, size: width, accessorFn: NO_VALUE, enableSorting: !unsorted, sortDescFirst };
}

/** A state as the library types it: mutable, although the library does not mutate it. */
type Mutable<Value> = Value extends ReadonlySet<unknown> | string
  ? Value
  : { -readonly [Name in keyof Value]: Mutable<Value[Name]> };

const MIN_WIDTH = 40;
const MAX_WIDTH = 800;

export function resizeColumn(table: GridTable<never>, id: string, width: number): void {
  openLibrary(table).setColumnSizing((widths) => ({
    ...widths,
    [id]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))),
  }));
}

/** Cycles through ascending, descending and unsorted (numbers start descending, unless their small values matter most); `adds` keeps the other levels. */
export function sortByColumn(table: GridTable<never>, id: string, adds: boolean): void {
  const column = openLibrary(table).getColumn(id);
  if (column?.getCanSort() === true) column.toggleSorting(undefined, adds);
}

/** Moves a column one place among the visible columns with the same pinning. */
export function moveColumn(table: GridTable<never>, id: string, step: -1 | 1): void {
  const library = openLibrary(table);
  const side = library.getColumn(id)?.getIsPinned();
  if (side) library.setColumnPinning((pinned) => ({ ...pinned, [side]: swap(pinned[side], id, pinned[side], step) }));
  else library.setColumnOrder((order) => swap(order, id, listPlaces(library, id), step));
}

/** Lists the scrolling columns in order, with the moved one even if it is hidden. */
function listPlaces(library: LibraryTable, id: string): readonly string[] {
  return library
    .getCenterLeafColumns()
    .flatMap((column) => (column.id === id || column.getIsVisible() ? [column.id] : []));
}

/** Moves a column to the place of its neighbour. */
function swap(ids: string[], id: string, places: readonly string[], step: -1 | 1): string[] {
  const neighbour = places[places.indexOf(id) + step];
  return neighbour === undefined ? ids : ids.filter((other) => other !== id).toSpliced(ids.indexOf(neighbour), 0, id);
}
