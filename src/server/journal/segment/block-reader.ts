import type { Change, RowText } from './change.ts';
import { readColumn, type ColumnReader } from './column.ts';
import { type ContentReader, createContentReader, itemAt, numberAt, UnreadableBlock } from './content.ts';
import { type Moment, readMoments, readOrderIds, readSteps, type Step, toOrderNumber } from './block-lists.ts';
import type { Surroundings } from './value-codecs.ts';

/**
 * Reads a block row by row: for each order its base rows, then its changes. Builds texts only for the rows that are
 * wanted.
 */
export interface BlockReader {
  readonly orders: readonly OrderRows[];
  /** Moves to the next row and returns its moment; null for a base row. */
  readonly next: () => Moment | null;
  readonly kind: () => Change['kind'];
  readonly row: () => RowText;
  /**
   * Of the next `rows` rows, counts those up to the last one that decides whether the order works at a reading. Rows of
   * later readings do not, nor does what the order history says afterwards.
   */
  readonly countUpTo: (rows: number, reading: number) => number;
}

export interface OrderRows {
  readonly id: string;
  /** The number of base rows. */
  readonly base: number;
  readonly changes: number;
}

export function createBlockReader(bytes: Buffer): BlockReader {
  const content = createContentReader(bytes);
  const orders = readOrders(content);
  const moments = readMomentsOfRows(content, orders);
  const places = content.numbers();
  const known = readSteps(content);
  const steps = Array.from(places, (place) => itemAt(known, place));
  const names = content.texts();
  const shapes = readShapes(content);
  const rowsOf = toRowsOfColumns(steps, shapes, names.length);
  const nearTo = createSurroundings(orders, moments);
  const columns = names.map((name, column) =>
    readColumn(content, name, (index) => nearTo(itemAt(itemAt(rowsOf, column), index))),
  );
  content.end();

  const fields = createFields(columns);
  let at = -1;
  return {
    orders,
    next: () => {
      const step = itemAt(steps, ++at);
      fields.advance(itemAt(shapes, step.shape), step.fields);
      return moments[at] ?? null;
    },
    kind: () => {
      const { kind } = itemAt(steps, at);
      if (kind === 'base') throw new UnreadableBlock('The block is damaged: a row of the start is among the changes.');
      return kind;
    },
    row: () => fields.join(itemAt(shapes, itemAt(steps, at).shape)),
    countUpTo: (rows, reading) => {
      let count = rows;
      while (count > 0 && ((moments[at + count]?.to ?? -Infinity) > reading || isOfHistory(itemAt(steps, at + count))))
        count--;
      return count;
    },
  };
}

/** Whether the order history shows it, so that it does not decide whether the order works. */
function isOfHistory({ kind }: Step): boolean {
  return kind === 'ended' || kind === 'passed';
}

function readOrders(content: ContentReader): readonly OrderRows[] {
  const ids = readOrderIds(content);
  const [base, changes] = [content.numbers(), content.numbers()];
  return ids.map((id, index) => ({ id, base: numberAt(base, index), changes: numberAt(changes, index) }));
}

/** Returns null for base rows. */
function readMomentsOfRows(content: ContentReader, orders: readonly OrderRows[]): readonly (Moment | null)[] {
  const moments = readMoments(content);
  const advances = content.numbers();
  const ofRows: (Moment | null)[] = [];
  let at = 0;
  for (const { base, changes } of orders) {
    for (let count = 0; count < base; count++) ofRows.push(null);
    for (let count = 0, place = 0; count < changes; count++) {
      place = (place + numberAt(advances, at++)) % moments.length;
      ofRows.push(itemAt(moments, place));
    }
  }
  return ofRows;
}

interface ReadShape {
  readonly columns: readonly number[];
  readonly end: string;
}

function readShapes(content: ContentReader): readonly ReadShape[] {
  const ends = content.texts();
  const [counts, columns] = [content.numbers(), content.numbers()];
  let at = 0;
  return ends.map((end, index) => {
    const count = numberAt(counts, index);
    at += count;
    return { columns: [...columns.subarray(at - count, at)], end };
  });
}

/** Returns, for each column, the rows that have a value in it. */
function toRowsOfColumns(
  steps: readonly Step[],
  shapes: readonly ReadShape[],
  columns: number,
): readonly (readonly number[])[] {
  const rowsOf = Array.from({ length: columns }, (): number[] => []);
  for (let row = 0; row < steps.length; row++) {
    const { shape, fields } = itemAt(steps, row);
    const ofShape = itemAt(shapes, shape);
    for (const field of fields) itemAt(rowsOf, itemAt(ofShape.columns, field)).push(row);
  }
  return rowsOf;
}

function createSurroundings(
  orders: readonly OrderRows[],
  moments: readonly (Moment | null)[],
): (row: number) => Surroundings {
  const numbers: bigint[] = [];
  for (const { id, base, changes } of orders) {
    const number = toOrderNumber(id);
    for (let count = base + changes; count > 0; count--) numbers.push(number);
  }
  return (row) => ({ reading: moments[row]?.to ?? null, order: itemAt(numbers, row) });
}

/** Keeps the current fields of an order: unchanged ones come from earlier rows. */
function createFields(columns: readonly ColumnReader[]) {
  const counts = columns.map(() => 0);
  const texts = columns.map(() => '');
  const isOutdated = new Uint8Array(columns.length);
  const textOf = (column: number): string => {
    if (isOutdated[column] === 1) {
      isOutdated[column] = 0;
      texts[column] = itemAt(columns, column)(itemAt(counts, column) - 1);
    }
    return itemAt(texts, column);
  };
  return {
    advance: (shape: ReadShape, changed: readonly number[]): void => {
      for (const field of changed) {
        const column = itemAt(shape.columns, field);
        counts[column] = itemAt(counts, column) + 1;
        isOutdated[column] = 1;
      }
    },
    join: (shape: ReadShape): RowText => {
      let row = '';
      for (const column of shape.columns) row += textOf(column);
      return row + shape.end;
    },
  };
}
