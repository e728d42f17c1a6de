/** A spreadsheet takes a text that begins with one of these for a formula; so do tab and return. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell: a number is written as it is, a text is made safe to open in a spreadsheet, null is empty. */
export type Cell = string | number | bigint | null;

/** RFC 4180, with a heading: lines end in CRLF, quotes are doubled. */
export function toCsv(heading: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [heading, ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
