import type { Change, RowText } from './change.ts';
import { type ContentWriter, createContentWriter } from './content.ts';
import { indexMoments, writeMoments } from './moments.ts';
import { toOrderNumber, writeOrderIds } from './order-ids.ts';
import { type OrderLife, type SegmentRows, toLives } from './order-life.ts';
import { compareWith, createShapes, pieceAt, type ShapedRow, type Shapes } from './shapes.ts';
import { createStepIndex, type StepKind, writeSteps } from './steps.ts';
import type { Surroundings } from './value-codecs.ts';
import { type BlockReader, createBlockReader, type OrderRows } from './block-reader.ts';
import { openFrame, sealFrame } from './frame.ts';

function writeBlock(lives: readonly OrderLife[]): Uint8Array {
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

/** The base rows and changes of a range of orders, compressed. It is never changed. */
export interface Block {
  readonly firstId: string;
  readonly lastId: string;
  /** How many changes it holds. */
  readonly changes: number;
  /** Of the orders that changed. */
  readonly changedIds: readonly string[];
  readonly bytes: Uint8Array;
}

/** Of the format of blocks. A change of anything that is written is a new version: the second one has orders that returned. */
const VERSION = 2;
/** Measured on 90,000 changes: 14 takes four times the time for a twentieth less of the bytes. */
const LEVEL = 9;
/** Base rows included. Fewer compress worse; with more, it takes longer to read the life of one order. */
const ROWS_PER_BLOCK = 4_096;

/** A segment in blocks, by order id. An order is in one block, with all its changes. */
export function encodeBlocks(segment: SegmentRows): readonly Block[] {
  return toGroups(toLives(segment)).map((lives) => ({
    firstId: lives[0]?.id ?? '',
    lastId: lives.at(-1)?.id ?? '',
    changes: lives.reduce((sum, { changes }) => sum + changes.length, 0),
    changedIds: lives.filter(({ changes }) => changes.length > 0).map(({ id }) => id),
    bytes: sealFrame(writeBlock(lives), VERSION, LEVEL),
  }));
}

/** All of it, by order id, and the changes of an order in the order in which they were given. Throws `UnreadableBlock`. */
export function decodeBlock(bytes: Uint8Array): SegmentRows {
  const reader = openBlock(bytes);
  const lives = reader.orders.map((order) => readLife(reader, order));
  return { base: lives.flatMap(({ base }) => base), changes: lives.flatMap(({ changes }) => changes) };
}

/** The same of one order; without rows where the block has none of it. */
export function decodeOrder(bytes: Uint8Array, id: string): SegmentRows {
  const reader = openBlock(bytes);
  for (const order of reader.orders) {
    if (order.id === id) return readLife(reader, order);
    for (let rows = order.base + order.changes; rows > 0; rows--) reader.next();
  }
  return { base: [], changes: [] };
}

/** The orders that were working at a reading, by id. */
export function decodeBook(bytes: Uint8Array, reading: number): ReadonlyMap<string, RowText> {
  const reader = openBlock(bytes);
  const book = new Map<string, RowText>();
  for (const order of reader.orders) {
    const row = readLast(reader, order, reading);
    if (row !== null) book.set(order.id, row);
  }
  return book;
}

function openBlock(bytes: Uint8Array): BlockReader {
  return createBlockReader(openFrame(bytes, VERSION).content);
}

function readLife(reader: BlockReader, { id, base, changes }: OrderRows): SegmentRows {
  const life = { base: [] as RowText[], changes: [] as Change[] };
  for (let row = 0; row < base + changes; row++) {
    const moment = reader.next();
    if (moment === null) life.base.push(reader.row());
    else life.changes.push({ kind: reader.kind(), id, from: moment.from, to: moment.to, row: reader.row() });
  }
  return life;
}

/** The row of the last step up to a reading; null where the order was not there by then, or not any more. */
function readLast(reader: BlockReader, { base, changes }: OrderRows, reading: number): RowText | null {
  let last: RowText | null = null;
  const count = reader.countUpTo(base + changes, reading);
  for (let row = 1; row <= base + changes; row++) {
    const moment = reader.next();
    if (row === count) last = moment !== null && reader.kind() === 'gone' ? null : reader.row();
  }
  return last;
}

function toGroups(lives: readonly OrderLife[]): readonly (readonly OrderLife[])[] {
  const groups: OrderLife[][] = [];
  let room = 0;
  for (const life of lives) {
    if (room <= 0) {
      groups.push([]);
      room = ROWS_PER_BLOCK;
    }
    groups.at(-1)?.push(life);
    room -= life.base.length + life.changes.length;
  }
  return groups;
}
