import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PackedStretch } from './journal-store.ts';
import type { PackRequest } from './pack-stretch.ts';

/** Where Perpdesk is installed as a package, it has been translated to JavaScript. */
const program = new URL(import.meta.url.endsWith('.ts') ? './pack-worker.ts' : './pack-worker.js', import.meta.url);

/** Packs a stretch in a thread of its own, which ends with it. */
export async function packInWorker(request: PackRequest): Promise<PackedStretch> {
  const worker = new Worker(program, { workerData: request });
  try {
    const [packed] = (await once(worker, 'message')) as [PackedStretch];
    return packed;
  } finally {
    await worker.terminate();
  }
}
