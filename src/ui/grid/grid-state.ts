import type { SortLevel } from '../table/sort-param.ts';
import type { GridColumn } from './grid-column.ts';

/** What a column lets through. */
export type GridFilter =
  | { readonly kind: 'has'; readonly text: string }
  | { readonly kind: 'is'; readonly texts: readonly string[] }
  | { readonly kind: 'between'; readonly from: number | null; readonly to: number | null };

/** How a reader has arranged a grid. Every part is replaced, never changed, so that its identity tells a change. */
export interface GridState {
  readonly sorts: readonly SortLevel[];
  readonly grouping: readonly string[];
  /** Keys of groups that are closed. */
  readonly closed: ReadonlySet<string>;
  readonly filters: Readonly<Record<string, GridFilter>>;
  /** Words that have to be somewhere in a row. */
  readonly quick: string;
  /** Every column, hidden ones too. */
  readonly order: readonly string[];
  /** Of columns whose width was changed. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  readonly pinned: { readonly start: readonly string[]; readonly end: readonly string[] };
}

type AnyColumn = Pick<GridColumn<never>, 'id' | 'width' | 'pinned' | 'hidden' | 'kind'>;

const NO_GROUPS: ReadonlySet<string> = new Set();

/** The state before the reader changes anything, which a reset leads back to. */
export function usualGridState(columns: readonly AnyColumn[]): GridState {
  const ids = (wanted: (column: AnyColumn) => boolean): string[] => columns.filter(wanted).map(({ id }) => id);
  return {
    sorts: [],
    grouping: [],
    closed: NO_GROUPS,
    filters: {},
    quick: '',
    order: ids(() => true),
    widths: {},
    hidden: ids(({ hidden }) => hidden === true),
    pinned: { start: ids(({ pinned }) => pinned === 'start'), end: ids(({ pinned }) => pinned === 'end') },
  };
}

const NARROWEST = 40;
const WIDEST = 800;

export function resizeColumn(state: GridState, id: string, width: number): GridState {
  return { ...state, widths: { ...state.widths, [id]: Math.round(Math.min(WIDEST, Math.max(NARROWEST, width))) } };
}

/** Among the columns that are shown and pinned alike, one place towards the start or the end. */
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

/** Upwards, downwards, not at all (numbers downwards first); `adds` keeps the other levels. */
export function sortByColumn(state: GridState, { id, kind }: Pick<AnyColumn, 'id' | 'kind'>, adds: boolean): GridState {
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

/** Null lets everything through. */
export function filterColumn(state: GridState, id: string, filter: GridFilter | null): GridState {
  const rest = Object.fromEntries(Object.entries(state.filters).filter(([other]) => other !== id));
  return { ...state, filters: filter === null ? rest : { ...rest, [id]: filter } };
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((other) => other !== id);
}
