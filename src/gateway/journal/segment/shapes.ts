import { createColumnWriter, type ColumnWriter } from './column.ts';
import { BETWEEN_PIECES, cutRow, namesOf, type RowPieces } from './row-cut.ts';

/** Rows of one shape have the same fields, in the same order. */
export interface Shape {
  readonly place: number;
  readonly columns: readonly NamedColumn[];
  readonly end: string;
}

/** Shapes share the columns of fields that they share. */
export interface NamedColumn {
  readonly place: number;
  /** As the pieces of its values begin. */
  readonly name: string;
  /** As it stands in a row, with what is before it. */
  readonly written: string;
  readonly values: ColumnWriter;
}

export interface ShapedRow {
  readonly shape: Shape;
  readonly pieces: readonly string[];
}

/** All shapes and columns of a block. */
export interface Shapes {
  readonly shapes: readonly Shape[];
  readonly columns: readonly NamedColumn[];
  readonly cut: (row: string) => ShapedRow;
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
    cut: (row) => {
      const cut = cutRow(row);
      if (newest !== null && isOfShape(cut, newest)) return { shape: newest, pieces: cut.pieces };
      const names = namesOf(cut.pieces);
      if (names === null) return { shape: shapeOf([''], ''), pieces: [row] };
      newest = shapeOf(names, cut.end);
      return { shape: newest, pieces: cut.pieces };
    },
  };
}

/** Of a shape with other names than the one of whole rows. */
function isOfShape({ pieces, end }: RowPieces, shape: Shape): boolean {
  const { columns } = shape;
  return pieces.length === columns.length && end === shape.end && columns.every(({ name }, index) => pieces[index]?.startsWith(name) === true);
}
