import type { RowText } from './segment/change.ts';
import { toOrderKey, type PackedStretch } from './journal-store.ts';
import { unpackChangesSync } from './packing.ts';
import { encodeBlocks } from './segment/block.ts';
import { packSummary } from './summary/pack-summary.ts';
import type { SummaryColumns } from './summary/summary-columns.ts';

/** A stretch, as it is handed to another thread: its changes are as the store has them, since to copy 90,000 takes long. */
export interface PackRequest {
  readonly base: readonly RowText[];
  readonly readings: readonly Uint8Array[];
  readonly summary: SummaryColumns;
}

export function packStretch({ base, readings, summary }: PackRequest): PackedStretch {
  const changes = readings.flatMap(unpackChangesSync);
  const blocks = encodeBlocks({ base, changes }).map(({ bytes, changedIds }) => ({
    content: bytes,
    orderKeys: [...new Set(changedIds.map(toOrderKey))],
  }));
  return { blocks, summary: packSummary(summary) };
}
