/** What a column sorts and filters by. Null is a missing value: last in both directions, and in no range. */
export type GridValue = string | number | bigint | null;

/** Content of a cell’s element beyond text; elements are recycled for other rows. */
export interface CellWidget<Row> {
  readonly element: HTMLElement | SVGElement;
  readonly show: (row: Row, text: string) => void;
}

/** Total of a group’s rows in a column; groups are sorted by its value. */
export interface GridTotal {
  readonly value: number | null;
  readonly text: string;
}

/** One column of a grid. Its functions depend only on the row and on what `watch` reports. */
export interface GridColumn<Row> {
  /** Letters, digits, underscores and hyphens: it is used in addresses. */
  readonly id: string;
  readonly title: string;
  /** The title is for screen readers only. */
  readonly titleHidden?: boolean;
  readonly unit?: string;
  /** Unit of a filter’s values, where it differs from the unit of the cells. */
  readonly filterUnit?: string;
  /** Replaces the unit in the heading while rows are grouped, to say what the totals are. */
  readonly groupedUnit?: (grouping: readonly string[]) => string | undefined;
  readonly kind: 'text' | 'number';
  /** Default width in px. */
  readonly width: number;
  /** As shown and searched. */
  readonly text: (row: Row) => string;
  /** As copied, where the text has a mark that is for the eye only. */
  readonly copied?: (row: Row) => string;
  readonly value: (row: Row) => GridValue;
  /** Order of two present values, for texts that stand for large numbers or instants. Filters then compare values, not texts. */
  readonly compare?: (a: string, b: string) => number;
  /** Becomes the cell's `data-tone`, for styles. */
  readonly tone?: (row: Row) => string | undefined;
  /** A figure that flashes when a refresh changes it. */
  readonly flashes?: boolean;
  /** Creates content beyond text, such as a link; once for each element, with `tabindex` -1 where it is interactive. */
  readonly draw?: () => CellWidget<Row>;
  /** Calls back when cells change although their rows have not, until the returned function is called. */
  readonly watch?: (changed: () => void) => () => void;
  /** The column cannot be sorted. */
  readonly unsorted?: boolean;
  /** A share from 0 to 1, drawn behind the text; null draws none. */
  readonly bar?: (row: Row) => number | null;
  readonly pinned?: 'start' | 'end';
  /** Hidden by default. */
  readonly hidden?: boolean;
  /** Tooltip of the header. */
  readonly tooltip?: string;
  /**
   * The characters its texts can contain. The quick filter skips columns that cannot match: formatting ten thousand prices
   * to search them for letters is most of the cost of a search.
   */
  readonly alphabet?: RegExp;
  /** Its text may change while its row stays the same object: with time, or with other rows. What a search found in it is not remembered. */
  readonly ages?: true;
  /** A word in the cell outside of its alphabet, such as `n/a`; empty where there is none. Searched without formatting the cell. */
  readonly word?: (row: Row) => string;
  /** For columns of times: makes the test of a range as it was written. */
  readonly within?: (range: { readonly from: string; readonly to: string }) => (row: Row) => boolean;
  /** Nearly every row has a value of its own: a filter searches the values, and does not list them. */
  readonly unique?: boolean;
  /** Bounds for “filter by this value”, where the exact value is unique or changes quickly. */
  readonly near?: (row: Row) => readonly [from: number, to: number];
  /** A group’s total in this column, by which groups are sorted; without it groups show nothing and are sorted by name. */
  readonly subtotal?: (rows: readonly Row[]) => GridTotal;
}
