import { fieldOf } from '#contract/parsing/row-texts.ts';
import { VenueFailure } from '../venue-failure.ts';
import type { Change } from './change.ts';
import type { JournalStore, SegmentInfo } from './journal-store.ts';
import { decodeBlock } from './segment/block.ts';
import type { Stretch } from './stretch.ts';

/** A sealed stretch. */
export async function readStretch(store: Pick<JournalStore, 'blocksOf' | 'readingsOf'>, { number, from }: SegmentInfo): Promise<Stretch> {
  const [blocks, readings] = await Promise.all([store.blocksOf(number), store.readingsOf(number)]);
  if (blocks.length === 0) throw new VenueFailure({ type: 'desk-cannot-read', detail: 'This part of the journal has just been dropped to make room.' });
  const base = new Map<string, string>();
  const changes: Change[] = [];
  for (const block of blocks.map(decodeBlock)) {
    for (const row of block.base) base.set(idOf(row), row);
    for (const change of block.changes) changes.push(change);
  }
  return { from, base, readings, changes: changes.sort(compareChanges) };
}

export function idOf(row: string): string {
  return fieldOf(row, 'id')?.slice(1, -1) ?? '';
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
