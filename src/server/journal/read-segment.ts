import { VenueFailure } from '#server/core/venue-failure.ts';
import { idTextOf, toId, type Change } from './segment/change.ts';
import type { Orders } from './segment/fold.ts';
import type { JournalStore, SegmentInfo } from './journal-store.ts';
import { decodeBlock, decodeBook } from './segment/block.ts';
import type { Stretch } from './stretch.ts';

type SegmentStore = Pick<JournalStore, 'blocksOf' | 'readingsOf'>;

/** A sealed stretch. */
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

/** The orders of a sealed stretch as they were at an instant. */
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

/** Where a change stands among all others. */
export type Position = Pick<Change, 'to' | 'id' | 'kind'>;

/** Changes of one reading, which came about at moments that nobody knows, in an order of their own. */
export function compareChanges(a: Position, b: Position): number {
  return a.to - b.to || compareTexts(a.id, b.id) || compareTexts(a.kind, b.kind);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Stands after the ids of all orders. */
export const AFTER_ALL_IDS = '~';
