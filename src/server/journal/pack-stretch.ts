import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type PackedStretch, toOrderKey, unpackChangesSync } from './journal-store.ts';
import type { RowText } from './segment/change.ts';
import { encodeBlocks } from './segment/block.ts';
import { packSummary } from './summary/pack-summary.ts';
import type { SummaryColumns } from './summary/summary-columns.ts';

/** In the installed package, the worker has been compiled to JavaScript. */
const program = new URL(import.meta.url.endsWith('.ts') ? './pack-worker.ts' : './pack-worker.js', import.meta.url);

/** Packs a stretch in a thread that ends with the work. */
export async function packInWorker(request: PackRequest): Promise<PackedStretch> {
  const worker = new Worker(program, { workerData: request });
  try {
    const [packed] = (await once(worker, 'message')) as [PackedStretch];
    return packed;
  } finally {
    await worker.terminate();
  }
}

/** A stretch for another thread. Its changes stay packed as stored, since copying 90,000 of them takes long. */
export interface PackRequest {
  readonly base: readonly RowText[];
  readonly readings: readonly Uint8Array[];
  /** Null for rows that are not counted: the packed summary is then empty. */
  readonly summary: SummaryColumns | null;
}

export function packStretch({ base, readings, summary }: PackRequest): PackedStretch {
  const changes = readings.flatMap(unpackChangesSync);
  const blocks = encodeBlocks({ base, changes }).map(({ bytes, changedIds }) => ({
    content: bytes,
    orderKeys: [...new Set(changedIds.map(toOrderKey))],
  }));
  return { blocks, summary: summary === null ? new Uint8Array() : packSummary(summary) };
}
