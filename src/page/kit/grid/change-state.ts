import type { GridFilter, GridState } from '#model/tables/grid-state.ts';

export function toggleGroup(state: GridState, key: string): GridState {
  const closed = new Set(state.closed);
  if (!closed.delete(key)) closed.add(key);
  return { ...state, closed };
}

/** Null removes the filter. */
export function filterColumn(state: GridState, id: string, filter: GridFilter | null): GridState {
  const rest = Object.fromEntries(Object.entries(state.filters).filter(([other]) => other !== id));
  return { ...state, filters: filter === null ? rest : { ...rest, [id]: filter } };
}
