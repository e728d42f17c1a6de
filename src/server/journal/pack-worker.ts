import { parentPort, workerData } from 'node:worker_threads';
import { packStretch, type PackRequest } from './pack-stretch.ts';

/** Packs one stretch for `packInWorker`. */
parentPort?.postMessage(packStretch(workerData as PackRequest));
