import type { GridColumn } from './grid-column.ts';
import type { SortLevel } from './sort-param.ts';

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

type AnyColumn = Pick<GridColumn<never>, 'id' | 'pinned' | 'hidden'>;

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
