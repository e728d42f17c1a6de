import type { CellRange, Cursor } from './cursor.ts';
import type { GridColumn } from './grid-column.ts';
import type { GridRows } from './grid-rows.ts';
import type { ColumnPlan } from './plan-columns.ts';

interface CopyScene<Row> {
  readonly rows: GridRows<Row>;
  readonly plan: ColumnPlan<Row>;
}

/** What Ctrl+C takes: a range of cells, else the rows selected, else the cell with the keyboard; null on a head. */
export function copySelection<Row>({ range, selected, spot }: Pick<Cursor<Row>, 'range' | 'selected' | 'spot'>, { rows, plan }: CopyScene<Row>): string | null {
  const columns = plan.columns.map(({ column }) => column);
  if (range !== null) return copyCells({ rows, columns, range });
  if (selected.size > 0) return copyRows(rowsOf(selected, rows), columns);
  const { line, place } = spot;
  return line < 0 ? null : copyCells({ rows, columns, range: { firstLine: line, lastLine: line, firstPlace: place, lastPlace: place } });
}

function rowsOf<Row>(keys: ReadonlySet<string>, rows: GridRows<Row>): readonly Row[] {
  const found: Row[] = [];
  for (let line = 0; line < rows.count && found.length < keys.size; line++) {
    const row = keys.has(rows.keyAt(line) ?? '') ? rows.rowAt(line) : undefined;
    if (row !== undefined) found.push(row);
  }
  return found;
}

interface Copied<Row> {
  readonly rows: GridRows<Row>;
  readonly columns: readonly GridColumn<Row>[];
  readonly range: CellRange;
}

/** The cells as tab-separated text, which spreadsheets paste as cells. Missing values are empty, minus signs plain. */
function copyCells<Row>({ rows, columns, range }: Copied<Row>): string {
  const chosen = columns.slice(range.firstPlace, range.lastPlace + 1);
  const lines: string[] = [];
  for (let line = range.firstLine; line <= range.lastLine; line++) {
    const row = rows.rowAt(line);
    if (row !== undefined) lines.push(copyRow(row, chosen));
  }
  return lines.join('\n');
}

/** Whole rows, under the names of their columns. */
function copyRows<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[]): string {
  const heading = columns.map(({ title, unit }) => (unit === undefined ? title : `${title} (${unit})`)).join('\t');
  return [heading, ...rows.map((row) => copyRow(row, columns))].join('\n');
}

function copyRow<Row>(row: Row, columns: readonly GridColumn<Row>[]): string {
  return columns.map((column) => copyCell(row, column)).join('\t');
}

const FORMULA = /^[=+\-@]/;

function copyCell<Row>(row: Row, { kind, text, value }: GridColumn<Row>): string {
  if (value(row) === null) return '';
  const shown = text(row).replace(/[\t\r\n]+/g, ' ');
  // What stands behind a number only keeps the points of its column below each other.
  if (kind === 'number') return shown.replace('−', '-').trimEnd();
  // A spreadsheet takes such a text for a formula.
  return FORMULA.test(shown) ? `'${shown}` : shown;
}
