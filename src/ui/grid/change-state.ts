import type { GridColumn } from './grid-column.ts';
import type { GridFilter, GridState } from './grid-state.ts';

const MIN_WIDTH = 40;
const MAX_WIDTH = 800;

export function resizeColumn(state: GridState, id: string, width: number): GridState {
  return { ...state, widths: { ...state.widths, [id]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))) } };
}

/** Moves a column one place among the visible columns with the same pinning. */
export function moveColumn(state: GridState, id: string, step: -1 | 1): GridState {
  const side = pinnedSide(state, id);
  if (side !== null) return { ...state, pinned: { ...state.pinned, [side]: swap(state.pinned[side], id, step, () => true) } };
  const { start, end } = state.pinned;
  return { ...state, order: swap(state.order, id, step, (other) => ![...state.hidden, ...start, ...end].includes(other)) };
}

function swap(ids: readonly string[], id: string, step: -1 | 1, counts: (id: string) => boolean): readonly string[] {
  const from = ids.indexOf(id);
  let to = from + step;
  while (to >= 0 && to < ids.length && !counts(ids[to] ?? '')) to += step;
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  const moved = ids.filter((other) => other !== id);
  moved.splice(to, 0, id);
  return moved;
}

function pinnedSide({ pinned }: GridState, id: string): 'start' | 'end' | null {
  if (pinned.start.includes(id)) return 'start';
  return pinned.end.includes(id) ? 'end' : null;
}

export function pinColumn(state: GridState, id: string, side: 'start' | 'end' | null): GridState {
  const rest = { start: without(state.pinned.start, id), end: without(state.pinned.end, id) };
  return { ...state, pinned: side === null ? rest : { ...rest, [side]: side === 'start' ? [...rest.start, id] : [id, ...rest.end] } };
}

export function showColumn(state: GridState, id: string, shown: boolean): GridState {
  const hidden = without(state.hidden, id);
  return { ...state, hidden: shown ? hidden : [...hidden, id] };
}

/** Cycles through ascending, descending and unsorted (numbers start descending); `adds` keeps the other levels. */
export function sortByColumn(state: GridState, { id, kind, unsorted }: Pick<GridColumn<never>, 'id' | 'kind' | 'unsorted'>, adds: boolean): GridState {
  if (unsorted === true) return state;
  const present = state.sorts.find((level) => level.id === id);
  const firstDesc = kind === 'number';
  const next = present === undefined ? [{ id, desc: firstDesc }] : present.desc === firstDesc ? [{ id, desc: !firstDesc }] : [];
  if (!adds) return { ...state, sorts: next };
  const at = state.sorts.findIndex((level) => level.id === id);
  const sorts = at < 0 ? [...state.sorts, ...next] : state.sorts.toSpliced(at, 1, ...next);
  return { ...state, sorts };
}

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

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((other) => other !== id);
}
