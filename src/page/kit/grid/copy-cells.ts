import { countOf } from '#model/format/count.ts';
import type { CellRange, Cursor } from './cursor.ts';
import { isFormula, isMistaken } from '#model/format/csv.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import type { GridRows } from '#model/tables/arrange-rows.ts';
import type { ColumnPlan } from './plan-columns.ts';

export function describeRange({ firstLine, lastLine, firstPlace, lastPlace }: CellRange): string {
  return `Selected ${countOf(lastLine - firstLine + 1, 'row')} by ${countOf(lastPlace - firstPlace + 1, 'column')}.`;
}

/** Says how many rows are selected, and how many of the last selection could not be. */
export function describeSelection(count: number, missing: number): string {
  const text = `Selected ${countOf(count, 'row')}`;
  return missing === 0 ? `${text}.` : `${text}; ${countOf(missing, 'row')} NOT selected: not loaded.`;
}

interface CopyScene<Row> {
  readonly rows: GridRows<Row>;
  readonly plan: ColumnPlan<Row>;
}

export interface Copy {
  readonly text: string;
  readonly rows: number;
  /** In words: `3 rows`. */
  readonly copied: string;
  /** Number of selected rows that are not shown. */
  readonly missing: number;
}

/** Returns what Ctrl+C copies: a range of cells, else the selected rows, else the active cell; null on a header. */
export function copySelection<Row>(
  { range, selected, spot }: Pick<Cursor<Row>, 'range' | 'selected' | 'spot'>,
  { rows, plan }: CopyScene<Row>,
): Copy | null {
  const columns = plan.columns.map(({ column }) => column);
  if (range !== null) return copyRange(range, rows, columns.slice(range.firstPlace, range.lastPlace + 1));
  if (selected.size > 0) return copyRows(selected, rows, columns);
  const [row, column] = [rows.rowAt(spot.line), columns[spot.place]];
  // A single cell is pasted into text as often as into a spreadsheet, so only formulas are escaped.
  if (row === undefined || column === undefined) return null;
  const text = copyCell(row, column);
  return { text: column.kind === 'text' && isFormula(text) ? `'${text}` : text, rows: 1, copied: '1 cell', missing: 0 };
}

/** Says what was copied, and how much of the selection was not. */
export function describeCopy({ copied, missing }: Pick<Copy, 'copied' | 'missing'>): string {
  if (missing === 0) return `Copied ${copied}.`;
  return (
    `Copied ${copied}. The copy is INCOMPLETE: ${countOf(missing, 'selected row')} ` +
    `${missing === 1 ? 'is' : 'are'} not shown (filtered, in a closed group, gone or not loaded).`
  );
}

/**
 * Copies a range as tab-separated text, which spreadsheets paste as cells. Missing values are empty, minus signs ASCII.
 */
function copyRange<Row>(
  { firstLine, lastLine }: CellRange,
  rows: GridRows<Row>,
  columns: readonly GridColumn<Row>[],
): Copy {
  const found: Row[] = [];
  let missing = 0;
  for (let line = firstLine; line <= lastLine; line++) {
    const row = rows.rowAt(line);
    if (row !== undefined) found.push(row);
    else if (rows.groupAt(line) === undefined) missing += 1;
  }
  return {
    text: copyLines(found, columns).join('\n'),
    rows: found.length,
    copied: `cells of ${countOf(found.length, 'row')}`,
    missing,
  };
}

/** Copies whole rows below a heading. */
function copyRows<Row>(keys: ReadonlySet<string>, rows: GridRows<Row>, columns: readonly GridColumn<Row>[]): Copy {
  const heading = columns.map(({ title, unit }) => (unit === undefined ? title : `${title} (${unit})`)).join('\t');
  const found = rowsOf(keys, rows);
  return {
    text: [heading, ...copyLines(found, columns)].join('\n'),
    rows: found.length,
    copied: countOf(found.length, 'row'),
    missing: keys.size - found.length,
  };
}

function rowsOf<Row>(keys: ReadonlySet<string>, rows: GridRows<Row>): readonly Row[] {
  const found: Row[] = [];
  for (let line = 0; line < rows.count && found.length < keys.size; line++) {
    const row = keys.has(rows.keyAt(line) ?? '') ? rows.rowAt(line) : undefined;
    if (row !== undefined) found.push(row);
  }
  return found;
}

/**
 * Copies rows as lines. If a spreadsheet would read one text of a column as a number, all texts of the column are
 * escaped, because columns are looked up and joined as a whole.
 */
function copyLines<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[]): readonly string[] {
  const lines = rows.map((row) => columns.map((column) => copyCell(row, column)));
  const escaped = columns.map(
    ({ kind }, index) =>
      kind === 'text' && lines.some(({ [index]: text = '' }) => isMistaken(text) && !isFormula(text)),
  );
  const isEscaped = (text: string, index: number): boolean =>
    escaped[index] === true || (columns[index]?.kind === 'text' && isFormula(text));
  return lines.map((line) =>
    line.map((text, index) => (text !== '' && isEscaped(text, index) ? `'${text}` : text)).join('\t'),
  );
}

function copyCell<Row>(row: Row, { kind, text, copied = text, value }: GridColumn<Row>): string {
  if (value(row) === null) return '';
  const shown = copied(row).replace(/[\t\r\n]+/g, ' ');
  // Spaces after a number only align the decimal points of its column.
  return kind === 'number' ? shown.replace('−', '-').trimEnd() : shown;
}
