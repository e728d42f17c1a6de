import type { Change, RowText } from './change.ts';
import { createContentWriter, type ContentWriter } from './content.ts';
import { indexMoments, writeMoments } from './moments.ts';
import { toOrderNumber, writeOrderIds } from './order-ids.ts';
import type { OrderLife } from './order-life.ts';
import { compareWith, createShapes, pieceAt, type ShapedRow, type Shapes } from './shapes.ts';
import { createStepIndex, writeSteps, type StepKind } from './steps.ts';
import type { Surroundings } from './value-codecs.ts';

export function writeBlock(lives: readonly OrderLife[]): Uint8Array {
  const content = createContentWriter();
  writeOrderIds(
    content,
    lives.map(({ id }) => id),
  );
  content.numbers(lives.map(({ base }) => base.length));
  content.numbers(lives.map(({ changes }) => changes.length));
  writeTimes(content, lives);
  writeRows(content, lives);
  return content.toBytes();
}

/** Of each change the moment, counted from that of the order's change before; where that is later, round by the end. */
function writeTimes(content: ContentWriter, lives: readonly OrderLife[]): void {
  const { moments, places } = indexMoments(lives.flatMap(({ changes }) => changes));
  let next = 0;
  const advances = lives.flatMap(({ changes }) => {
    let last = 0;
    return changes.map(() => {
      const place = places[next++] ?? 0;
      const advance = (place - last + moments.length) % moments.length;
      last = place;
      return advance;
    });
  });
  writeMoments(content, moments);
  content.numbers(advances);
}

function writeRows(content: ContentWriter, lives: readonly OrderLife[]): void {
  const [shapes, steps] = [createShapes(), createStepIndex()];
  const places: number[] = [];
  for (const { id, base, changes } of lives) {
    const add = createLifeWriter(shapes, steps.placeOf, toOrderNumber(id));
    for (const row of base) places.push(add('base', row, null));
    for (const { kind, row, to } of changes) places.push(add(kind, row, to));
  }
  content.numbers(places);
  writeSteps(content, steps.steps);
  writeShapes(content, shapes);
  for (const { values } of shapes.columns) values.write(content);
}

/** Keeps what the order's last row was, to find which fields of the next one are not as before. */
function createLifeWriter(shapes: Shapes, placeOf: ReturnType<typeof createStepIndex>['placeOf'], order: bigint) {
  const current: string[] = [];
  let last: ShapedRow | null = null;
  return (kind: StepKind, row: RowText, reading: Change['to'] | null): number => {
    const compared = last === null ? null : compareWith(last, row);
    const cut = compared ?? shapes.cut(row);
    const { columns } = cut.shape;
    const near: Surroundings = { reading, order };
    const changed: number[] = [];
    for (const index of compared?.changed ?? columns.keys()) {
      const column = columns[index];
      const piece = pieceAt(cut, index);
      if (column === undefined || piece === current[column.place]) continue;
      current[column.place] = piece;
      changed.push(index);
      column.values.add(piece.slice(column.name.length), near);
    }
    last = cut;
    return placeOf(kind, cut.shape, changed);
  };
}

function writeShapes(content: ContentWriter, { shapes, columns }: Shapes): void {
  content.texts(columns.map(({ written }) => written));
  content.texts(shapes.map(({ end }) => end));
  content.numbers(shapes.map((shape) => shape.columns.length));
  content.numbers(shapes.flatMap((shape) => shape.columns.map(({ place }) => place)));
}
