import { VenueFailure } from '#server/core/venue-failure.ts';
import { type Change, idTextOf, type Orders, toId } from './segment/change.ts';
import type { JournalStore, ReadingTime, SegmentInfo, StoredReading } from './journal-store.ts';
import { decodeBlock, decodeBook } from './segment/block.ts';

/** Consecutive readings with the changes they showed. */
export interface Stretch {
  /** The reading that `base` is from; for the first stretch, its own first reading. */
  readonly from: number;
  /** The orders before the first reading. */
  readonly base: ReadonlyMap<string, string>;
  readonly readings: readonly ReadingTime[];
  /** In reading order. */
  readonly changes: readonly Change[];
}

/** The newest stretch, which each reading extends. */
export interface OpenStretch extends Stretch {
  readonly base: Orders;
  readonly readings: StoredReading[];
  readonly changes: Change[];
}

export function openStretch(from: number, base: Orders): OpenStretch {
  return { from, base, readings: [], changes: [] };
}

export function extend(stretch: OpenStretch, reading: StoredReading): void {
  stretch.readings.push(reading);
  // A loop instead of a spread, because a first reading has more changes than a call may have arguments.
  for (const change of reading.changes) stretch.changes.push(change);
}

type SegmentStore = Pick<JournalStore, 'blocksOf' | 'readingsOf'>;

/** Reads a sealed stretch. */
export async function readStretch(store: SegmentStore, segment: SegmentInfo): Promise<Stretch> {
  const [blocks, readings] = await Promise.all([readBlocks(store, segment), store.readingsOf(segment.number)]);
  const base = new Map<string, string>();
  const changes: Change[] = [];
  for (const block of blocks.map(decodeBlock)) {
    for (const row of block.base) base.set(toId(idTextOf(row)), row);
    for (const change of block.changes) changes.push(change);
  }
  return { from: segment.from, base, readings, changes: changes.sort(compareChanges) };
}

/** Returns the orders of a sealed stretch at an instant. */
export async function readBook(store: SegmentStore, segment: SegmentInfo, instant: number): Promise<Orders> {
  return new Map((await readBlocks(store, segment)).flatMap((block) => [...decodeBook(block, instant)]));
}

async function readBlocks({ blocksOf }: SegmentStore, { number }: SegmentInfo): Promise<readonly Uint8Array[]> {
  const blocks = await blocksOf(number);
  if (blocks.length === 0)
    throw new VenueFailure({
      type: 'desk-cannot-read',
      detail: 'This part of the journal has just been dropped to make room.',
    });
  return blocks;
}

/** The position of a change among all changes. */
export type Position = Pick<Change, 'to' | 'id' | 'kind'>;

/** Changes of one reading happened at unknown moments, so they are sorted by ID and kind. */
export function compareChanges(a: Position, b: Position): number {
  return a.to - b.to || compareTexts(a.id, b.id) || compareTexts(a.kind, b.kind);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts after all order IDs. */
export const AFTER_ALL_IDS = '~';
