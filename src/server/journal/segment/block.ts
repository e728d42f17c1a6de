import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { type Change, idTextOf, type RowText, toId } from './change.ts';
import { type ContentWriter, createContentWriter, openEnvelope, sealEnvelope } from './content.ts';
import {
  createStepIndex,
  indexMoments,
  type StepKind,
  toOrderNumber,
  writeMoments,
  writeOrderIds,
  writeSteps,
} from './block-lists.ts';
import { compareWith, createShapes, pieceAt, type ShapedRow, type Shapes } from './shapes.ts';
import type { Surroundings } from './value-codecs.ts';
import { type BlockReader, createBlockReader, type OrderRows } from './block-reader.ts';

/** The known orders of a segment: the rows at its start, and the changes since. */
export interface SegmentRows {
  readonly base: readonly RowText[];
  readonly changes: readonly Change[];
}

/** The rows of one order in a segment. */
interface OrderLife {
  readonly id: string;
  /** One row, or none if the order is newer. A set that lists an ID twice is kept as it is. */
  readonly base: RowText[];
  readonly changes: Change[];
}

/** Groups by order, keeping the sequence within each. */
function toLives({ base, changes }: SegmentRows): readonly OrderLife[] {
  const lives = new Map<string, OrderLife>();
  const lifeOf = (id: string): OrderLife => {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const life = { id, base: [], changes: [] };
    lives.set(id, life);
    return life;
  };
  for (const row of base) lifeOf(toId(idTextOf(row))).base.push(row);
  for (const change of changes) lifeOf(change.id).changes.push(change);
  return [...lives.values()].sort((a, b) => compareOrderIds(a.id as OrderId, b.id as OrderId));
}

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

/** Writes each change’s moment as the advance from its order’s previous one, modulo the number of moments. */
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

/** Tracks the last row of an order, to find the fields that change in the next one. */
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

/** The compressed base rows and changes of a range of orders. A block never changes. */
export interface Block {
  readonly firstId: string;
  readonly lastId: string;
  /** The number of changes. */
  readonly changes: number;
  /** The IDs of the orders that changed. */
  readonly changedIds: readonly string[];
  readonly bytes: Uint8Array;
}

/**
 * The version of the block format. Any change to what is written needs a new version; the second one added returned
 * orders, the third one those that no reading listed.
 */
const VERSION = 3;
/** Measured on 90,000 changes: level 14 takes four times as long and saves a twentieth of the bytes. */
const LEVEL = 9;
/** Includes base rows. Smaller blocks compress worse; larger ones make it slower to read the life of one order. */
const ROWS_PER_BLOCK = 4_096;

/** Splits a segment into blocks by order ID. All rows of an order are in one block. */
export function encodeBlocks(segment: SegmentRows): readonly Block[] {
  return toGroups(toLives(segment)).map((lives) => ({
    firstId: lives[0]?.id ?? '',
    lastId: lives.at(-1)?.id ?? '',
    changes: lives.reduce((sum, { changes }) => sum + changes.length, 0),
    changedIds: lives.filter(({ changes }) => changes.length > 0).map(({ id }) => id),
    bytes: sealEnvelope(writeBlock(lives), VERSION, LEVEL),
  }));
}

/** Returns all rows by order ID, and the changes of an order in the given sequence. Throws `UnreadableBlock`. */
export function decodeBlock(bytes: Uint8Array): SegmentRows {
  const reader = openBlock(bytes);
  const lives = reader.orders.map((order) => readLife(reader, order));
  return { base: lives.flatMap(({ base }) => base), changes: lives.flatMap(({ changes }) => changes) };
}

/** Returns the rows of one order, like `decodeBlock`; none if the block has none of it. */
export function decodeOrder(bytes: Uint8Array, id: string): SegmentRows {
  const reader = openBlock(bytes);
  for (const order of reader.orders) {
    if (order.id === id) return readLife(reader, order);
    for (let rows = order.base + order.changes; rows > 0; rows--) reader.next();
  }
  return { base: [], changes: [] };
}

/** Returns the orders that were working at a reading, by ID. */
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
  return createBlockReader(openEnvelope(bytes, VERSION).content);
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

/** Returns an order’s row at a reading; null if it was not working then. */
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
