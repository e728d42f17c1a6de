import { createColumnWriter, type ColumnWriter } from './column.ts';
import { BETWEEN_PIECES, cutRow, namesOf } from './row-cut.ts';

/** Rows of one shape have the same fields, in the same order. */
export interface Shape {
  readonly place: number;
  readonly columns: readonly NamedColumn[];
  readonly end: string;
}

/** Shapes share the columns of fields that they share. */
interface NamedColumn {
  readonly place: number;
  /** As the pieces of its values begin. */
  readonly name: string;
  /** As it stands in a row, with what is before it. */
  readonly written: string;
  readonly values: ColumnWriter;
}

interface ShapedRow {
  readonly shape: Shape;
  readonly pieces: readonly string[];
}

/** All shapes and columns of a block. */
export interface Shapes {
  readonly shapes: readonly Shape[];
  readonly columns: readonly NamedColumn[];
  /** `known`: the order's pieces up to now, by the places of their columns; what did not change is not cut again. */
  readonly cut: (row: string, known: readonly string[]) => ShapedRow;
}

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
    cut: (row, known) => {
      const likeNewest = newest === null ? null : cutLike(row, newest, known);
      if (newest !== null && likeNewest !== null) return { shape: newest, pieces: likeNewest };
      const cut = cutRow(row);
      const names = namesOf(cut.pieces);
      if (names === null) return { shape: shapeOf([''], ''), pieces: [row] };
      newest = shapeOf(names, cut.end);
      return { shape: newest, pieces: cut.pieces };
    },
  };
}

/** The pieces of a row if it is of this shape, else null. To compare with what is known is faster than to cut. */
function cutLike(row: string, { columns, end }: Shape, known: readonly string[]): readonly string[] | null {
  const until = row.length - end.length;
  const pieces: string[] = [];
  let at = 0;
  for (const { place, name } of columns) {
    const piece = pieceLike(row, at, until, known[place]) ?? cutPiece(row, at, until, name);
    if (piece === null) return null;
    pieces.push(piece);
    at += piece.length + BETWEEN_PIECES.length;
  }
  return at === until + BETWEEN_PIECES.length && row.endsWith(end) ? pieces : null;
}

/** A piece that is already known, if it is there again. */
function pieceLike(row: string, at: number, until: number, known: string | undefined): string | null {
  if (known === undefined || !row.startsWith(known, at)) return null;
  const to = at + known.length;
  return to === until || row.startsWith(BETWEEN_PIECES, to) ? known : null;
}

function cutPiece(row: string, at: number, until: number, name: string): string | null {
  if (!row.startsWith(name, at)) return null;
  const to = row.indexOf(BETWEEN_PIECES, at);
  return row.slice(at, to === -1 ? until : to);
}
