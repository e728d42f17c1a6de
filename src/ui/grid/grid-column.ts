/** What a column compares and filters by. Null is a missing value: last both ways, and in no range. */
export type GridValue = string | number | bigint | null;

/** What stands in one cell's element beside or instead of text; the element comes to show other rows. */
export interface CellWidget<Row> {
  readonly element: HTMLElement | SVGElement;
  readonly show: (row: Row, text: string) => void;
}

/** What rows add up to in a column: by its value groups are sorted. */
export interface GridTotal {
  readonly value: number | null;
  readonly text: string;
}

/** One column of a grid. Its functions depend on nothing but the row, and what `watch` tells of. */
export interface GridColumn<Row> {
  /** Letters, digits, underscores and hyphens within: it stands in addresses. */
  readonly id: string;
  readonly title: string;
  /** Only read out, where it would take too much room. */
  readonly titleHidden?: boolean;
  readonly unit?: string;
  /** What a filter's bounds or words are told in, where cells are not shown in it. */
  readonly filterUnit?: string;
  readonly kind: 'text' | 'number';
  /** In px, before the reader changes it. */
  readonly width: number;
  /** As shown, copied and searched. */
  readonly text: (row: Row) => string;
  readonly value: (row: Row) => GridValue;
  /** For texts that name numbers too big for a number, or moments: orders two values that are there. Filters compare the values, not what is shown. */
  readonly compare?: (a: string, b: string) => number;
  /** Becomes the cell's `data-tone`, for styles. */
  readonly tone?: (row: Row) => string | undefined;
  /** Draws what is more than a text, such as a link; made once for each element, with `tabindex` -1 where it can be pressed. */
  readonly draw?: () => CellWidget<Row>;
  /** Calls back when cells have changed that show the same rows as before, until it is told not to. */
  readonly watch?: (changed: () => void) => () => void;
  /** Nobody looks for an order by it: its head does not sort. */
  readonly unsorted?: boolean;
  /** A share from 0 to 1, drawn behind the text; null draws none. */
  readonly bar?: (row: Row) => number | null;
  readonly pinned?: 'start' | 'end';
  /** Not shown until the reader asks for it. */
  readonly hidden?: boolean;
  /** What has to be known about the column, told at its head. */
  readonly note?: string;
  /**
   * The characters its texts can be made of. The quick filter passes over a column that cannot hold what is searched
   * for: writing out ten thousand prices to search them for letters is most of what a search costs.
   */
  readonly alphabet?: RegExp;
  /** The word in a cell that its alphabet has no letters for, empty where there is none: told without writing the cell out. */
  readonly says?: (row: Row) => string;
  /** The bounds within which a row is like another, where the very same value is nobody else's or does not last. */
  readonly near?: (row: Row) => readonly [from: number, to: number];
  /** What a group shows in this column, and stands by where the column sorts; without it, nothing and its name. */
  readonly subtotal?: (rows: readonly Row[]) => GridTotal;
}
