import type { CsvColumn, SOURCE_COLUMNS } from '#contract/desk/csv-columns.ts';
import { INSTANT_PATTERN } from '#contract/exchange/instant.ts';
import type { Decimal } from '../units/decimal.ts';
import type { Source } from '../response.ts';

/** A spreadsheet reads a text that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Where semicolons or tabs separate fields, as a spreadsheet's own settings may have it, quotes around a field between
 * commas do not count: a field, or a line, may begin in the middle of a text.
 */
const LATER_FORMULA = /[;\t\r\n](?=\s*[=+\-@＝＋－＠])/g;

/** A number as text, because its digits may exceed the precision of a float. */
interface Digits {
  readonly digits: string;
}

/** A name that may consist of digits: read as a number, it would be rounded or lose its leading zeros. */
interface Identifier {
  readonly id: string;
}

/**
 * An identifier whose column is always marked as text. If only number-like identifiers were marked, the column would
 * not join with the same column of another file.
 */
interface OpaqueId {
  readonly opaqueId: string;
}

/** A cell: numbers are written as they are, texts are made safe for spreadsheets, and null is empty. */
export type Cell = string | number | bigint | null | Digits | Identifier | OpaqueId;

/** Whether a file has every column, or leaves out the provenance of its figures. */
export type CsvForm = 'full' | 'figures';

interface CsvColumns {
  readonly heading: readonly CsvColumn[];
  /** The columns that a file of figures leaves out. */
  readonly provenance: readonly CsvColumn[];
}

/** Further columns, which come after all others, and their cells by the place of the row. */
export interface MoreColumns {
  readonly heading: readonly CsvColumn[];
  readonly cells: (index: number) => readonly Cell[];
}

/** Writes a table in either form. Both forms keep the order of the columns. */
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

/** Writes a table with a heading as RFC 4180: lines end in CRLF, quotes are doubled. */
export function toCsv(heading: readonly CsvColumn[], rows: readonly (readonly Cell[])[]): string {
  return toCsvLines([heading, ...rows]);
}

/** Writes lines of CSV, for a file that is written in pieces. */
export function toCsvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return toText(toFileTime(cell), isFormula(cell));
  if (typeof cell !== 'object') return String(cell);
  if ('opaqueId' in cell) return cell.opaqueId === '' ? '' : toText(cell.opaqueId, true);
  return 'digits' in cell ? cell.digits : toText(cell.id, isMistaken(cell.id));
}

/**
 * Writes an instant with nine fractional digits, as finely as the exchange may send it, so that equal times are equal
 * texts in all files. Returns any other text unchanged.
 */
export function toFileTime(text: string): string {
  const [, seconds, fraction = ''] = INSTANT_PATTERN.exec(text) ?? [];
  return seconds === undefined ? text : `${seconds}.${fraction.padEnd(9, '0')}Z`;
}

function toText(text: string, isMarked: boolean): string {
  return quote((isMarked ? "'" : '') + text.replaceAll(LATER_FORMULA, "$&'"));
}

/** Returns whether a spreadsheet would read a text as a formula. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** Returns whether a spreadsheet would read a text as a number (including `3e5`) or a formula. */
export function isMistaken(text: string): boolean {
  return isFormula(text) || /^[\d.,]+(?:e\d+)?$/i.test(text);
}

function quote(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes a number with all of its digits; null without one. */
export function toExactNumber(value: Decimal | null | undefined): { readonly digits: string } | null {
  return value ? { digits: value.toFixed() } : null;
}

/** Spreadsheets keep this many significant digits of a number; some read a longer number as text. */
const DIGITS = 15;

/** Rounds a computed number for a file. Numbers from the exchange are written as received. */
export function toSpreadsheetNumber(value: Decimal | null): { readonly digits: string } | null {
  return value && { digits: value.toSignificantDigits(DIGITS).toFixed() };
}

/** Columns for the source of a CSV row. Every row has them, because a file outlives its page. */
export const SOURCE_HEADING = [
  'endpoint',
  'request',
  'responded_at',
  'received_at',
  'age_s',
  'source',
  'request_id',
] as const satisfies readonly (keyof typeof SOURCE_COLUMNS)[];

export function toSourceCells({
  endpoint,
  target,
  respondedAt,
  receivedAt,
  ageSeconds,
  cache,
  requestId,
}: Source): readonly (string | number | null)[] {
  return [endpoint, `GET ${target}`, respondedAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
}
