import type { GridTable } from './grid-table.ts';
import { openLibrary, type LibraryTable } from './library-table.ts';

const MIN_WIDTH = 40;
const MAX_WIDTH = 800;

export function resizeColumn(table: GridTable<never>, id: string, width: number): void {
  openLibrary(table).setColumnSizing((widths) => ({
    ...widths,
    [id]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))),
  }));
}

/** Cycles through ascending, descending and unsorted (numbers start descending); `adds` keeps the other levels. */
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

/** The columns that scroll, in order; the moved one may be hidden. */
function listPlaces(library: LibraryTable, id: string): readonly string[] {
  return library
    .getCenterLeafColumns()
    .flatMap((column) => (column.id === id || column.getIsVisible() ? [column.id] : []));
}

/** Puts a column in the place of its neighbour. */
function swap(ids: string[], id: string, places: readonly string[], step: -1 | 1): string[] {
  const neighbour = places[places.indexOf(id) + step];
  return neighbour === undefined ? ids : ids.filter((other) => other !== id).toSpliced(ids.indexOf(neighbour), 0, id);
}
