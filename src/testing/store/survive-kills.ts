import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { ORDERS_PER_BATCH, ordersOf } from './batches.ts';
import type { StoreLocation } from './store-location.ts';
import { readAllPages } from './sample-orders.ts';

const program = fileURLToPath(new URL('./commit-batches.ts', import.meta.url));
const LONGEST_LIFE_MS = 60;

/** Has a process write to the place and kills it, again and again; looks each time at what it left. */
export async function surviveKills(place: StoreLocation, kills: number): Promise<void> {
  let acknowledged = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const said = await writeUntilKilled(place.spec, Math.random() * LONGEST_LIFE_MS);
    expect(said, 'the process wrote before it was killed').toBeGreaterThan(acknowledged);
    acknowledged = await lookAt(place, said);
  }
  console.log(`survived ${String(kills)} kills, ${String(acknowledged)} batches`);
}

/** Gives the last batch it was heard to acknowledge. */
async function writeUntilKilled(spec: string, lifeMs: number): Promise<number> {
  const child = spawn(process.execPath, [program, spec], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  await pause(lifeMs);
  child.kill('SIGKILL');
  await ended;
  expect(complaint).toBe('');
  return Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
}

/** What is there must be whole batches, none of those acknowledged missing. Gives the last one. */
async function lookAt(place: StoreLocation, acknowledged: number): Promise<number> {
  const store = await place.open();
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
