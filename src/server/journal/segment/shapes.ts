import type { RowText } from './change.ts';
import { type ColumnWriter, createColumnWriter } from './column.ts';

/**
 * A row cut into one piece per field, if it is a flat object without spaces. The cuts follow the separators rather than
 * the rules of JSON: joined, the pieces are the row again, regardless of its content.
 */
interface RowPieces {
  /** Each begins with its field’s name. */
  readonly pieces: readonly string[];
  readonly end: string;
}

const BETWEEN_PIECES = ',"';
const END_OF_NAME = ':';
/** More than any order has: a row with more is no flat object, and not worth a column per piece. */
const MOST_PIECES = 100;

function cutRow(row: RowText): RowPieces {
  const end = row.endsWith('}') ? '}' : '';
  const all = end === '' ? row : row.slice(0, -1);
  return { pieces: all.split(BETWEEN_PIECES), end };
}

/** Returns the names of the pieces; null if the row is better kept whole. */
function namesOf(pieces: readonly string[]): readonly string[] | null {
  if (pieces.length > MOST_PIECES) return null;
  const names = pieces.map((piece) => piece.slice(0, piece.indexOf(END_OF_NAME) + 1));
  return names.includes('') || new Set(names).size < names.length ? null : names;
}

/** Rows of one shape have the same fields in the same order. */
export interface Shape {
  readonly place: number;
  readonly columns: readonly NamedColumn[];
  readonly end: string;
}

/** A column of one field, used by all shapes that have the field. */
interface NamedColumn {
  readonly place: number;
  /** The beginning of its pieces. */
  readonly name: string;
  /** As it stands in a row, including the separator before it. */
  readonly written: string;
  readonly values: ColumnWriter;
}

export interface ShapedRow {
  readonly shape: Shape;
  readonly row: string;
  /** The end of each piece in the row. */
  readonly ends: readonly number[];
}

/** All shapes and columns of a block. */
export interface Shapes {
  readonly shapes: readonly Shape[];
  readonly columns: readonly NamedColumn[];
  readonly cut: (row: string) => ShapedRow;
}

/** The column of rows that are kept whole. */
const NO_NAME = '';

export function createShapes(): Shapes {
  const shapes = new Map<string, Shape>();
  const columns = new Map<string, NamedColumn>();
  let newest: Shape | null = null;

  const columnOf = (name: string, index: number): NamedColumn => {
    const written = index === 0 ? name : BETWEEN_PIECES + name;
    const known = columns.get(written);
    if (known !== undefined) return known;
    const column = { place: columns.size, name, written, values: createColumnWriter() };
    columns.set(written, column);
    return column;
  };
  const shapeOf = (names: readonly string[], end: string): Shape => {
    const key = JSON.stringify([...names, end]);
    const known = shapes.get(key);
    if (known !== undefined) return known;
    const shape = { place: shapes.size, columns: names.map(columnOf), end };
    shapes.set(key, shape);
    return shape;
  };
  return {
    get shapes() {
      return [...shapes.values()];
    },
    get columns() {
      return [...columns.values()];
    },
    cut: (row) => {
      const likeNewest = newest === null ? null : cutLike(row, newest);
      if (newest !== null && likeNewest !== null) return { shape: newest, row, ends: likeNewest };
      const cut = cutRow(row);
      const names = namesOf(cut.pieces);
      if (names === null) return { shape: shapeOf([NO_NAME], ''), row, ends: [row.length] };
      newest = shapeOf(names, cut.end);
      return { shape: newest, row, ends: toEnds(cut.pieces) };
    },
  };
}

function toEnds(pieces: readonly string[]): readonly number[] {
  let at = -BETWEEN_PIECES.length;
  return pieces.map(({ length }) => (at += BETWEEN_PIECES.length + length));
}

export function pieceAt({ row, ends }: ShapedRow, index: number): string {
  return row.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + BETWEEN_PIECES.length, ends[index]);
}

/** Returns the ends of a row’s pieces if it has this shape, otherwise null. */
function cutLike(row: string, { columns, end }: Shape): readonly number[] | null {
  const until = row.length - end.length;
  const ends: number[] = [];
  let at = 0;
  for (const { name } of columns) {
    const to = endOfPiece(row, at, until, name);
    if (to === null) return null;
    ends.push(to);
    at = to + BETWEEN_PIECES.length;
  }
  return at === until + BETWEEN_PIECES.length && row.endsWith(end) ? ends : null;
}

interface ComparedRow extends ShapedRow {
  /** The pieces that differ from the row before. */
  readonly changed: readonly number[];
}

/**
 * Compares a row with its order’s previous one, which most often has the same shape and nearly all of the same pieces.
 * Returns null if the shape differs. Comparing character by character is faster than cutting.
 */
export function compareWith(before: ShapedRow, row: string): ComparedRow | null {
  const { columns, end } = before.shape;
  const until = row.length - end.length;
  const [ends, changed]: [number[], number[]] = [[], []];
  let [at, from] = [0, 0];
  for (let index = 0; index < columns.length; index++) {
    const name = columns[index]?.name ?? NO_NAME;
    const length = (before.ends[index] ?? from) - from;
    let to: number | null = at + length;
    if (!isPiece(row, to, until) || !isSame(row, at, before.row, from, length)) {
      to = name === NO_NAME ? null : endOfPiece(row, at, until, name);
      if (to === null) return null;
      changed.push(index);
    }
    ends.push(to);
    [at, from] = [to + BETWEEN_PIECES.length, from + length + BETWEEN_PIECES.length];
  }
  return at === until + BETWEEN_PIECES.length && row.endsWith(end) ? { shape: before.shape, row, ends, changed } : null;
}

/** Whether a piece may end at `to`. */
function isPiece(row: string, to: number, until: number): boolean {
  return to === until || (to < until && row.startsWith(BETWEEN_PIECES, to));
}

function isSame(row: string, at: number, other: string, from: number, length: number): boolean {
  for (let index = 0; index < length; index++)
    if (row.charCodeAt(at + index) !== other.charCodeAt(from + index)) return false;
  return true;
}

function endOfPiece(row: string, at: number, until: number, name: string): number | null {
  if (!row.startsWith(name, at)) return null;
  const to = row.indexOf(BETWEEN_PIECES, at);
  return to === -1 ? until : to;
}
