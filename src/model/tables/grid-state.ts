import type { GridColumn } from './grid-column.ts';
import type { SortLevel } from './sort-param.ts';

/** Which rows a column’s filter passes. */
export type GridFilter =
  | { readonly kind: 'has'; readonly text: string }
  | { readonly kind: 'starts'; readonly text: string }
  | { readonly kind: 'is'; readonly texts: readonly string[] }
  /** Times, as written; empty: no bound. */
  | { readonly kind: 'within'; readonly from: string; readonly to: string }
  | { readonly kind: 'between'; readonly from: number | null; readonly to: number | null };

/** How the user has arranged a grid. Parts are replaced, never mutated, so that identity signals a change. */
export interface GridState {
  readonly sorts: readonly SortLevel[];
  readonly grouping: readonly string[];
  /** Keys of groups that are closed. */
  readonly closed: ReadonlySet<string>;
  readonly filters: Readonly<Record<string, GridFilter>>;
  /** Words that must occur somewhere in a row. */
  readonly quick: string;
  /** Every column, hidden ones too. */
  readonly order: readonly string[];
  /** Widths changed by the user. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  readonly pinned: { readonly start: readonly string[]; readonly end: readonly string[] };
}

type AnyColumn = Pick<GridColumn<never>, 'id' | 'pinned' | 'hidden'>;

const NO_GROUPS: ReadonlySet<string> = new Set();

/** The initial state, restored by a reset. */
export function defaultGridState(columns: readonly AnyColumn[]): GridState {
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
