import type { GridColumn, GridState } from './grid.ts';

/** Lists the ids of shown columns from left to right. Pinned columns come first and last. */
export function listShown({
  order,
  hidden,
  pinned,
}: Pick<GridState, 'order' | 'hidden' | 'pinned'>): readonly string[] {
  const ends = [...pinned.start, ...pinned.end];
  return [...pinned.start, ...order.filter((id) => !ends.includes(id)), ...pinned.end].filter(
    (id) => !hidden.includes(id),
  );
}

export function pickColumns<Row>(
  columns: readonly GridColumn<Row>[],
  ids: readonly string[],
): readonly GridColumn<Row>[] {
  return ids.flatMap((id) => columns.find((column) => column.id === id) ?? []);
}
