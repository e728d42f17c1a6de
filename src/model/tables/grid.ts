import type { UrlParam } from '../format/url-param.ts';

/**
 * The value by which a column sorts and filters. Null is a missing value: it comes last in both directions, and is in
 * no range.
 */
export type GridValue = string | number | bigint | null;

/** Content of a cell beyond text. Its element is reused for other rows. */
export interface CellWidget<Row> {
  readonly element: HTMLElement | SVGElement;
  readonly show: (row: Row, text: string) => void;
}

/** The total of a group’s rows in a column. Groups are sorted by its value. */
export interface GridTotal {
  readonly value: number | null;
  readonly text: string;
}

/** One column of a grid. Its functions depend only on the row and on what `watch` reports. */
export interface GridColumn<Row> {
  /** Letters, digits, underscores and hyphens, since addresses contain it. */
  readonly id: string;
  readonly title: string;
  /** Whether the title is for screen readers only. */
  readonly titleHidden?: boolean;
  readonly unit?: string;
  /** Unit of the filter’s values, if it differs from that of the cells. */
  readonly filterUnit?: string;
  /** Replaces the heading’s unit while rows are grouped, to name what the totals are. */
  readonly groupedUnit?: (grouping: readonly string[]) => string | undefined;
  readonly kind: 'text' | 'number';
  /** Default width in px. */
  readonly width: number;
  /** Returns the text as shown and searched. */
  readonly text: (row: Row) => string;
  /** Returns the text as copied, if the shown one contains a mark for the eye only. */
  readonly copied?: (row: Row) => string;
  readonly value: (row: Row) => GridValue;
  /**
   * Compares two present values whose texts stand for large numbers or instants. Filters then compare values, not
   * texts.
   */
  readonly compare?: (a: string, b: string) => number;
  /** Becomes the cell’s `data-tone`, for styles. */
  readonly tone?: (row: Row) => string | undefined;
  /** Whether the figure flashes when a refresh changes it. */
  readonly flashes?: boolean;
  /** Creates content beyond text, such as a link, once for each element. Interactive content gets `tabindex` -1. */
  readonly draw?: () => CellWidget<Row>;
  /** Calls back when cells change although their rows have not, until the returned function is called. */
  readonly watch?: (changed: () => void) => () => void;
  /** Whether the first click sorts a number upwards, because its small values matter most, as in times left. */
  readonly smallestFirst?: boolean;
  /** Whether the column cannot be sorted. */
  readonly unsorted?: boolean;
  /** Returns a share from 0 to 1, drawn behind the text; null draws none. */
  readonly bar?: (row: Row) => number | null;
  readonly pinned?: 'start' | 'end';
  /** Whether the column is hidden by default. */
  readonly hidden?: boolean;
  /** Tooltip of the header. */
  readonly tooltip?: string;
  /**
   * The characters that its texts can contain. The quick filter skips columns that cannot match: most of the cost of a
   * search would be formatting ten thousand prices to search them for letters.
   */
  readonly alphabet?: RegExp;
  /**
   * The text may change while its row stays the same object, with time or with other rows, so search results in it are
   * not remembered.
   */
  readonly ages?: true;
  /**
   * Returns a word in the cell outside its alphabet, such as `n/a`; empty if there is none. The word is searched
   * without formatting the cell.
   */
  readonly word?: (row: Row) => string;
  /** For columns of times: makes the test of a range from its texts. */
  readonly within?: (range: { readonly from: string; readonly to: string }) => (row: Row) => boolean;
  /** Whether nearly every row has its own value. A filter then searches the values and does not list them. */
  readonly unique?: boolean;
  /** Returns bounds for “filter by this value”, if the exact value is unique or changes quickly. */
  readonly near?: (row: Row) => readonly [from: number, to: number];
  /**
   * Returns a group’s total in this column, by which groups are sorted. Without it, groups show nothing and are sorted
   * by name.
   */
  readonly subtotal?: (rows: readonly Row[]) => GridTotal;
}

/** One level of sorting. */
export interface SortLevel {
  readonly id: string;
  readonly desc: boolean;
}

/** Keeps sorting in the address. `sort=-volume,symbol` is descending by volume, then ascending by symbol. */
export function sortParam(
  name: string,
  columns: readonly string[],
  defaults: readonly SortLevel[],
): UrlParam<readonly SortLevel[]> {
  const defaultText = formatSort(defaults);
  return {
    read: (query) => {
      const levels = parseSort(query.get(name) ?? '', columns);
      return levels.length > 0 ? levels : defaults;
    },
    write: (query, levels) => {
      const text = formatSort(levels);
      if (text === defaultText || text === '') query.delete(name);
      else query.set(name, text);
    },
  };
}

/** Parses sort levels. Unknown and repeated columns are ignored. */
export function parseSort(text: string, columns: readonly string[]): readonly SortLevel[] {
  const levels = text.split(',').map((part) => ({ id: part.replace(/^-/, ''), desc: part.startsWith('-') }));
  return levels.filter(
    ({ id }, index) => columns.includes(id) && levels.findIndex((level) => level.id === id) === index,
  );
}

export function formatSort(levels: readonly SortLevel[]): string {
  return levels.map(({ id, desc }) => (desc ? '-' : '') + id).join();
}

/** Which rows a column’s filter passes. */
export type GridFilter =
  | { readonly kind: 'has'; readonly text: string }
  | { readonly kind: 'starts'; readonly text: string }
  | { readonly kind: 'is'; readonly texts: readonly string[] }
  /** Times as typed; an empty text is no bound. */
  | { readonly kind: 'within'; readonly from: string; readonly to: string }
  | { readonly kind: 'between'; readonly from: number | null; readonly to: number | null };

/** How the user has arranged a grid. Its values are replaced, never mutated, so that identity signals a change. */
export interface GridState {
  readonly sorts: readonly SortLevel[];
  readonly grouping: readonly string[];
  /** Keys of closed groups. */
  readonly closed: ReadonlySet<string>;
  readonly filters: Readonly<Record<string, GridFilter>>;
  /** Words that must occur somewhere in a row. */
  readonly quick: string;
  /** All columns, including hidden ones. */
  readonly order: readonly string[];
  /** Widths that the user has changed. */
  readonly widths: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
  readonly pinned: { readonly start: readonly string[]; readonly end: readonly string[] };
}

type AnyColumn = Pick<GridColumn<never>, 'id' | 'pinned' | 'hidden'>;

const NO_GROUPS: ReadonlySet<string> = new Set();

/** Returns the initial state, which a reset restores. */
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
