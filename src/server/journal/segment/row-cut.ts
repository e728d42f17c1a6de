import type { RowText } from './change.ts';

/**
 * A row in pieces, one for each of its fields where it is a flat object without spaces. They are cut by what is between
 * two of them and not by the rules of JSON: put together they are the row, whatever it is.
 */
export interface RowPieces {
  /** Each begins with the name of its field. */
  readonly pieces: readonly string[];
  readonly end: string;
}

export const BETWEEN_PIECES = ',"';
const END_OF_NAME = ':';
/** More than any order has: what has more is no flat object, and not worth a column for each. */
const MOST_PIECES = 100;

export function cutRow(row: RowText): RowPieces {
  const end = row.endsWith('}') ? '}' : '';
  const all = end === '' ? row : row.slice(0, -1);
  return { pieces: all.split(BETWEEN_PIECES), end };
}

/** The names of the pieces; null where the row is better kept whole. */
export function namesOf(pieces: readonly string[]): readonly string[] | null {
  if (pieces.length > MOST_PIECES) return null;
  const names = pieces.map((piece) => piece.slice(0, piece.indexOf(END_OF_NAME) + 1));
  return names.includes('') || new Set(names).size < names.length ? null : names;
}
