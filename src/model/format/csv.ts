/** A spreadsheet reads a text that starts with one of these as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** A number by its digits, which may exceed a float’s precision. */
interface Digits {
  readonly digits: string;
}

/** A name that may consist of digits: as a number a spreadsheet would round it or drop its leading zeros. */
interface Identifier {
  readonly id: string;
}

/**
 * An identifier of a column that is always marked as text. If only those that look like numbers were marked, the column
 * would not join with the same column of another file.
 */
interface OpaqueId {
  readonly opaqueId: string;
}

/** A cell: a number is written as it is, a text is made safe to open in a spreadsheet, null is empty. */
export type Cell = string | number | bigint | null | Digits | Identifier | OpaqueId;

/** Whether a file has every column, or figures without their provenance. */
export type CsvForm = 'full' | 'figures';

interface CsvColumns {
  readonly heading: readonly string[];
  /** Those that a file of figures only leaves out. */
  readonly provenance: readonly string[];
}

/** A table in either form; the columns of both have the same order. */
export function toCsvInForm(
  form: CsvForm,
  { heading, provenance }: CsvColumns,
  rows: readonly (readonly Cell[])[],
): string {
  if (form === 'full') return toCsv(heading, rows);
  const isKept = heading.map((name) => !provenance.includes(name));
  const pick = <Value>(line: readonly Value[]): readonly Value[] => line.filter((_, place) => isKept[place]);
  return toCsv(pick(heading), rows.map(pick));
}

/** RFC 4180, with a heading: lines end in CRLF, quotes are doubled. */
export function toCsv(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return toCsvLines([heading, ...rows]);
}

/** Lines of a CSV file, for one that is written piece by piece. */
export function toCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quote(isFormula(cell) ? `'${cell}` : cell);
  if (typeof cell !== 'object') return String(cell);
  if ('opaqueId' in cell) return cell.opaqueId === '' ? '' : quote(`'${cell.opaqueId}`);
  return 'digits' in cell ? cell.digits : quote(isMistaken(cell.id) ? `'${cell.id}` : cell.id);
}

/** Whether a spreadsheet would read a text as a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** Whether a spreadsheet would read a text as a number (3e5 is one) or a formula. */
export function isMistaken(text: string): boolean {
  return isFormula(text) || /^[\d.,]+(?:e\d+)?$/i.test(text);
}

function quote(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
