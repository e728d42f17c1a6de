import type { Change, RowText } from './change.ts';
import { toOrderKey, type SealedBlock } from './journal-store.ts';
import { unpackList } from './packing.ts';
import { encodeBlocks } from './segment/block.ts';

/** A stretch, as it is handed to another thread: its changes are as the store has them, since to copy 90,000 takes long. */
export interface PackRequest {
  readonly base: readonly RowText[];
  readonly readings: readonly Uint8Array[];
}

/** The blocks of a stretch. */
export async function packStretch({ base, readings }: PackRequest): Promise<readonly SealedBlock[]> {
  const changes = (await Promise.all(readings.map((bytes) => unpackList<Change>(bytes)))).flat();
  return encodeBlocks({ base, changes }).map(({ bytes, changedIds }) => ({ content: bytes, orderKeys: [...new Set(changedIds.map(toOrderKey))] }));
}
