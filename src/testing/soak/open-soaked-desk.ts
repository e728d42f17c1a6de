import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { serverNodeFlags, memoryLimits } from '#cli/node-flags.mjs';
import { buildApp } from '../build-app.ts';
import { openFaultyVenue } from '../faults/faulty-venue.ts';
import { makeSelfSigned } from '../faults/self-signed.ts';
import { startDeskProcess, type DeskProcess } from '../attacks/desk-process.ts';
import type { MemoryReading } from './judge-memory.ts';

/**
 * A server that people sign in to, with TLS, whose memory can be read. It runs in a separate process, started as the
 * command starts it.
 */
export interface SoakedDesk extends Pick<DeskProcess, 'output' | 'ended'> {
  readonly port: number;
  /** Returns the memory in use after a garbage collection. */
  readonly readMemory: () => Promise<MemoryReading>;
  /** Returns the status of its health, over a separate connection. */
  readonly readHealth: () => Promise<number>;
  /** Stops it and returns its exit code; null if it had to be killed. */
  readonly close: () => Promise<number | null>;
}

/** Longer than its grace period for requests in progress. */
const END_MS = 30_000;

export async function openSoakedDesk(): Promise<SoakedDesk> {
  await buildApp();
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-soak-'));
  const [cert, key, socket] = ['cert.pem', 'key.pem', 'memory.sock'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const pair = makeSelfSigned(Date.now());
  writeFileSync(cert, pair.cert);
  writeFileSync(key, pair.key, { mode: 0o600 });
  const venue = await openFaultyVenue({ now: Date.now });
  const desk = await startDeskProcess({
    nodeOptions: [...serverNodeFlags, '--expose-gc', '--import', join(import.meta.dirname, 'report-memory.ts')],
    environment: {
      ...memoryLimits,
      DESK_PORT: '0',
      DESK_VENUE_URL: venue.baseUrl,
      DESK_BUDGET: '0',
      DESK_ACCESS: 'users',
      DESK_TLS_CERT: cert,
      DESK_TLS_KEY: key,
      DESK_DATA_DIR: join(folder, 'data'),
      DESK_LOG_LEVEL: 'error',
      SOAK_MEMORY_SOCKET: socket,
    },
  });
  const close = async (): Promise<number | null> => {
    desk.signal('SIGTERM');
    const overdue = setTimeout(() => {
      desk.signal('SIGKILL');
    }, END_MS);
    const code = await desk.ended;
    clearTimeout(overdue);
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  if (desk.address === null) {
    await close();
    throw new Error(`The desk did not start:\n${desk.output()}`);
  }
  const port = Number(new URL(desk.address).port);
  return {
    ...desk,
    port,
    readMemory: async () => (await json(connect(socket))) as MemoryReading,
    readHealth: () => readHealth(port, pair.cert),
    close,
  };
}

function readHealth(port: number, ca: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/healthz', ca, agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    }).once('error', reject);
  });
}
