import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { ORDERS_PER_BATCH, ordersOf } from './batches.ts';
import type { StoreLocation } from './store-location.ts';
import { readAllPages } from './sample-orders.ts';

const program = fileURLToPath(new URL('./commit-batches.ts', import.meta.url));
const LONGEST_RUN_MS = 60;

/** Repeatedly kills a process that writes to a store, and checks each time what is left. */
export async function surviveKills(location: StoreLocation, kills: number): Promise<void> {
  let acknowledged = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const written = await writeUntilKilled(location.path, Math.random() * LONGEST_RUN_MS);
    expect(written, 'the process wrote before it was killed').toBeGreaterThan(acknowledged);
    acknowledged = await checkStore(location, written);
  }
  console.log(`survived ${String(kills)} kills, ${String(acknowledged)} batches`);
}

/** Returns the last batch that the process acknowledged. */
async function writeUntilKilled(path: string, runMs: number): Promise<number> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await pause(runMs);
  child.kill('SIGKILL');
  await ended;
  expect(errors).toBe('');
  return Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1));
}

/** Expects the store to have only complete batches, and all those that were acknowledged. Returns the last one. */
async function checkStore(location: StoreLocation, acknowledged: number): Promise<number> {
  const store = await location.open();
  const saved = await store.load(0);
  const last = Number(saved?.facts['batch']);
  expect(last).toBeGreaterThanOrEqual(acknowledged);
  expect(saved?.trades).toHaveLength(last * ORDERS_PER_BATCH);
  const resting = Array.from({ length: last }, (_, n) =>
    ordersOf(n + 1).filter((__, i) => n + 1 === last || i % 2 === 1),
  );
  expect(saved?.working.map(({ id }) => id)).toEqual(resting.flat().map(({ id }) => id));
  const all = Array.from({ length: last }, (_, n) => ordersOf(n + 1)).flat();
  expect(await readAllPages(store, { direction: 'asc', limit: 1_000 })).toEqual(all.map(({ id }) => String(id)));
  await store.close();
  return last;
}
