/** A spreadsheet takes a text that begins with one of these for a formula; so do tab and return. */
const FORMULA = /^[=+\-@\t\r]/;

/** A number by its digits, which may be more than a float holds. */
interface Digits {
  readonly digits: string;
}

/** A name, of digits maybe, that is no number: a spreadsheet would round it, or cut its zeros. */
interface Identifier {
  readonly id: string;
}

/** A cell: a number is written as it is, a text is made safe to open in a spreadsheet, null is empty. */
export type Cell = string | number | bigint | null | Digits | Identifier;

/** RFC 4180, with a heading: lines end in CRLF, quotes are doubled. */
export function toCsv(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return toCsvLines([heading, ...rows]);
}

/** Lines of such a file, for what is written piece by piece. */
export function toCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quote(isFormula(cell) ? `'${cell}` : cell);
  if (typeof cell !== 'object') return String(cell);
  return 'digits' in cell ? cell.digits : quote(isMistaken(cell.id) ? `'${cell.id}` : cell.id);
}

/** What a spreadsheet takes for a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** What a spreadsheet takes for a number (3e5 is one to it) or a formula. */
export function isMistaken(text: string): boolean {
  return isFormula(text) || /^[\d.,]+(?:e\d+)?$/i.test(text);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
