import { joinFields, splitFields, splitList } from './json-split.ts';
import { significand } from './json-text.ts';

/**
 * Rows as written. Most are flat objects without spaces, so their parts are found by searching for the separators, many
 * times faster than by reading every token. Quotes within strings are escaped.
 */

const BETWEEN_FIELDS = ',"';
const BETWEEN_ROWS = '},{"';
const NEXT_ROW = ',{"';
/** The first field name of an object, up to its colon. */
const FIRST_NAME = /^\{"[^"\\]*":/;

/** Returns a field's value, as written. */
export function fieldOf(row: string, field: string): string | undefined {
  if (!isFlat(row)) return splitFields(row).get(field);
  const lead = `"${field}":`;
  const start = row.startsWith(lead, 1) ? 1 : row.indexOf(`,${lead}`) + 1;
  if (start === 0) return splitFields(row).get(field);
  const from = start + lead.length;
  const next = row.indexOf(BETWEEN_FIELDS, from);
  const text = row.slice(from, next === -1 ? -1 : next);
  return VALUE.test(text) ? text.trim() : splitFields(row).get(field);
}

/** Replaces fields of a row; `changed` is an object with the new values. */
export function withFields(row: string, changed: string): string {
  return joinFields(new Map([...splitFields(row), ...splitFields(changed)]));
}

/**
 * Splits a list, given without its brackets, into rows. Most rows start with the same field; where the expected row
 * follows, its end is known.
 */
export function* cutRows(list: string, expected: () => string | undefined = nothing): Iterable<string> {
  const lead = FIRST_NAME.exec(list)?.[0];
  let start = 0;
  while (lead !== undefined) {
    const row = expectedAt(list, start, expected()) ?? flatRowAt(list, start, lead);
    if (row === null) break;
    yield row;
    start += row.length + 1;
    if (start > list.length) return;
  }
  yield* splitList(`${list}]`, start);
}

function nothing(): undefined {
  return undefined;
}

/** Returns null if something else follows. No text of an object is the beginning of another. */
function expectedAt(list: string, start: number, expected: string | undefined): string | null {
  if (expected === undefined) return null;
  const end = start + expected.length;
  const row = list.slice(start, end);
  return row === expected && (end === list.length || list.startsWith(NEXT_ROW, end)) ? row : null;
}

/**
 * Returns null if the row is not flat, if a space separates it from the next, or if one of its texts contains the
 * separator of rows.
 */
function flatRowAt(list: string, start: number, lead: string): string | null {
  const found = list.indexOf(BETWEEN_ROWS, start);
  const row = list.slice(start, found === -1 ? undefined : found + 1);
  return isFlat(row) && row.endsWith('}') && (found === -1 || list.startsWith(lead, found + 2)) ? row : null;
}

/** Splits an object into a field's list, without brackets and null if it is not a list, and its other fields. */
export function cutAtList(object: string, field: string): ListCut {
  const cut = cutAtFlatList(object, field);
  if (cut !== null) return cut;
  const fields = splitFields(object);
  const list = fields.get(field);
  fields.delete(field);
  return { fields, list: list?.startsWith('[') === true ? list.slice(1, -1).trim() : null };
}

interface ListCut {
  readonly fields: Map<string, string>;
  readonly list: string | null;
}

/** Avoids reading the list if its rows are flat: the next bracket then closes it, and the rest is an object. */
function cutAtFlatList(object: string, field: string): ListCut | null {
  const lead = `"${field}":[`;
  const start = object.startsWith(lead, 1) ? 1 : object.indexOf(`,${lead}`);
  const from = object.indexOf('[', start) + 1;
  const end = object.indexOf(']', from);
  if (start === -1 || end === -1) return null;
  const [before, after] = [object.slice(0, start), object.slice(end + 1)];
  const list = object.slice(from, end);
  // In a nested object, unless nothing else follows.
  const isInner = before.includes('{', 1) && after !== '}';
  const others = before + (before === '{' ? after.replace(',', '') : after);
  if (isInner || list.includes('[') || !isJson(others)) return null;
  const fields = splitFields(others);
  return fields.has(field) ? null : { fields, list };
}

/** Fails if the object was cut within a field. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the changed fields of a row as an object; null if a field is gone. A value that is only written differently
 * has not changed.
 */
export function changedFields(before: string, after: string): string | null {
  return (
    (isFlat(before) && isFlat(after) ? changedPieces(before, after, isSameValue) : null) ??
    changedValues(splitFields(before), splitFields(after), isSameValue)
  );
}

/** Returns whether two rows have different fields, however they are written. */
export function hasChanged(before: string, after: string): boolean {
  return changedFields(before, after) !== '{}';
}

type IsSame = (text: string, old: string) => boolean;

const isSameText: IsSame = (text, old) => text === old;

const NUMBER = /^-?\d/;
const SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;

/** Compares values, given as JSON texts. */
function isSameValue(a: string, b: string): boolean {
  const [text, old] = [a.trim(), b.trim()];
  if (text === old) return true;
  if (NUMBER.test(text) && NUMBER.test(old)) return significand(text) === significand(old);
  if (text.startsWith('"') && old.startsWith('"')) return JSON.parse(text) === JSON.parse(old);
  return text.replace(SPACE, '$1') === old.replace(SPACE, '$1');
}

/**
 * Returns the changed fields that turn one row into the other exactly, as an object; null if only the whole row does.
 */
export function exactChange(before: string, after: string): string | null {
  const pieces = isFlat(before) && isFlat(after) && !isLoose(after) ? changedPieces(before, after, isSameText) : null;
  if (pieces !== null) return pieces;
  const changed = changedValues(splitFields(before), splitFields(after), isSameText);
  return changed !== null && withFields(before, changed) === after ? changed : null;
}

/**
 * Returns whether a row is written differently from `withFields`: with spaces between tokens, or with escapes in names.
 * Most rows contain neither anywhere, which is quick to check.
 */
function isLoose(row: string): boolean {
  return /[\s\\]/.test(row) && /\\|[{,:]\s|\s[,:"}]/.test(row);
}

function isFlat(row: string): boolean {
  return !row.includes('{', 1) && !row.includes('[');
}

const VALUE = /^(?:"(?:[^"\\]|\\.)*"|[^"\s]+)$/;
/** A field without its first quote. */
const FIELD = /^[^"\\]+":(?:"(?:[^"\\]|\\.)*"|[^"]+)$/;

/** Returns null if the fields or their order differ. */
function changedPieces(before: string, after: string, isSame: IsSame): string | null {
  const changed: string[] = [];
  let from = FIRST;
  for (let start = FIRST, end = 0; end !== after.length - 1; start = end + BETWEEN_FIELDS.length) {
    end = pieceEnd(after, start);
    const until = pieceEnd(before, from);
    const [piece, old] = [after.slice(start, end), before.slice(from, until)];
    if (piece !== old && !areOneField(piece, old)) return null;
    if (piece !== old && !isSame(valueOf(piece), valueOf(old))) changed.push(piece);
    const isLast = until === before.length - 1;
    if (isLast !== (end === after.length - 1)) return null;
    from = until + BETWEEN_FIELDS.length;
  }
  return changed.length === 0 ? '{}' : `{"${changed.join(BETWEEN_FIELDS)}}`;
}

/** Position after the brace and the first quote. */
const FIRST = 2;

function pieceEnd(row: string, start: number): number {
  const end = row.indexOf(BETWEEN_FIELDS, start);
  return end === -1 ? row.length - 1 : end;
}

function valueOf(piece: string): string {
  return piece.slice(piece.indexOf(':') + 1);
}

function areOneField(piece: string, old: string): boolean {
  return FIELD.test(piece) && FIELD.test(old) && old.startsWith(piece.slice(0, piece.indexOf('"') + 1));
}

function changedValues(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  isSame: IsSame,
): string | null {
  for (const field of before.keys()) if (!after.has(field)) return null;
  return joinFields([...after].filter(([field, text]) => !isSame(text, before.get(field) ?? '')));
}
