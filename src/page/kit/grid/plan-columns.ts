import type { GridColumn } from '#model/tables/grid.ts';
import type { GridTable } from './grid-props.ts';

type Pin = 'start' | 'end' | null;

/** Position of a column. */
export interface PlannedColumn<Row> {
  readonly column: GridColumn<Row>;
  /** Index among the visible columns. */
  readonly place: number;
  /** From the start of the grid or, if pinned, from the edge it is pinned to. */
  readonly x: number;
  readonly width: number;
  readonly pin: Pin;
  /** Whether this is the pinned column next to those that scroll. */
  readonly edge: boolean;
}

export interface ColumnPlan<Row> {
  readonly columns: readonly PlannedColumn<Row>[];
  readonly width: number;
  readonly startWidth: number;
  readonly endWidth: number;
}

interface SizedColumn<Row> {
  readonly column: GridColumn<Row>;
  readonly width: number;
}

/**
 * Lays out columns by the user’s order, widths, pins and visibility, as the table library would. The library, which
 * changes the layout, would be a twelfth of the first screen, so it loads with the input code.
 */
export function layColumns<Row>({
  columns,
  state: { order, widths, hidden, pinned },
}: Pick<GridTable<Row>, 'columns' | 'state'>): ColumnPlan<Row> {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const byId = new Map(shown.map((column) => [column.id, { column, width: widths[column.id] ?? column.width }]));
  const sized = (ids: readonly string[]): SizedColumn<Row>[] => ids.flatMap((id) => byId.get(id) ?? []);
  const atEdges = new Set([...pinned.start, ...pinned.end]);
  // Columns that the order does not name come last.
  const ordered = [...new Set([...order, ...byId.keys()])];
  return planColumns({
    start: sized(pinned.start),
    center: sized(ordered.filter((id) => !atEdges.has(id))),
    end: sized(pinned.end),
  });
}

/** @internal Exported for its test. */
export function planColumns<Row>(
  parts: Readonly<Record<'start' | 'center' | 'end', readonly SizedColumn<Row>[]>>,
): ColumnPlan<Row> {
  const startWidth = sum(parts.start);
  const endWidth = sum(parts.end);
  let place = 0;
  let x = 0;
  const put = (pin: Pin) => {
    return ({ column, width }: SizedColumn<Row>, index: number): PlannedColumn<Row> => {
      x += width;
      const edge = (pin === 'start' && index === parts.start.length - 1) || (pin === 'end' && index === 0);
      return { column, width, pin, edge, place: place++, x: x - width };
    };
  };
  const before = [...parts.start.map(put('start')), ...parts.center.map(put(null))];
  const width = startWidth + sum(parts.center) + endWidth;
  const after = parts.end.map(put('end')).map((planned) => ({ ...planned, x: width - planned.x - planned.width }));
  return { columns: [...before, ...after], width, startWidth, endWidth };
}

function sum(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((total, { width }) => total + width, 0);
}

/** Up to this many columns are all drawn: creating and removing cells costs more than keeping them. */
const ALL_DRAWN = 30;
/** Wider than this many viewports, as on a phone, only nearby columns are drawn, to keep the first paint fast. */
const FAR_WINDOWS = 3;
/** The drawn part moves in steps of this many px, and extends as far beyond the viewport. */
const STEP_PX = 400;

/** The columns to draw at a horizontal scroll position: pinned ones and those near the viewport. */
export function columnsInSight<Row>(plan: ColumnPlan<Row>, left: number, width: number): readonly PlannedColumn<Row>[] {
  const { columns, startWidth, endWidth } = plan;
  if (columns.length <= ALL_DRAWN && plan.width <= FAR_WINDOWS * width) return columns;
  const from = Math.floor((left + startWidth) / STEP_PX - 1) * STEP_PX;
  const to = Math.ceil((left + width - endWidth) / STEP_PX + 1) * STEP_PX;
  return columns.filter((planned) => planned.pin !== null || (planned.x + planned.width > from && planned.x < to));
}

export function isSameDrawn<Row>(a: readonly PlannedColumn<Row>[], b: readonly PlannedColumn<Row>[]): boolean {
  return a.length === b.length && a.every((planned, index) => planned === b[index]);
}
