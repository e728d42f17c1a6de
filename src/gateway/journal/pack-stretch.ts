import type { Change, RowText } from './change.ts';
import { toOrderKey, type PackedStretch } from './journal-store.ts';
import { unpackList } from './packing.ts';
import { encodeBlocks } from './segment/block.ts';
import { packSummary } from './summary/pack-summary.ts';
import type { SummaryColumns } from './summary/summary-columns.ts';

/** A stretch, as it is handed to another thread: its changes are as the store has them, since to copy 90,000 takes long. */
export interface PackRequest {
  readonly base: readonly RowText[];
  readonly readings: readonly Uint8Array[];
  readonly summary: SummaryColumns;
}

export async function packStretch({ base, readings, summary }: PackRequest): Promise<PackedStretch> {
  const changes = (await Promise.all(readings.map((bytes) => unpackList<Change>(bytes)))).flat();
  const blocks = encodeBlocks({ base, changes }).map(({ bytes, changedIds }) => ({ content: bytes, orderKeys: [...new Set(changedIds.map(toOrderKey))] }));
  return { blocks, summary: packSummary(summary) };
}
