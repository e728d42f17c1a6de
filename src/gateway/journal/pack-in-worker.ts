import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PackedStretch } from './journal-store.ts';
import type { PackRequest } from './pack-stretch.ts';

/** Packs a stretch in a thread of its own, which ends with it. */
export async function packInWorker(request: PackRequest): Promise<PackedStretch> {
  const worker = new Worker(new URL('./pack-worker.ts', import.meta.url), { workerData: request });
  try {
    const [packed] = (await once(worker, 'message')) as [PackedStretch];
    return packed;
  } finally {
    await worker.terminate();
  }
}
