import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { formatTable } from '../lib/table.ts';
import type { MemoryReport } from './memory-probe.ts';
import { startServer, startReaders, startUpstream, toStream } from './servers.ts';

const READERS = 1_000;
const STALLED = 200;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const REPORTS = 20;
/** The interval is not a multiple of a cadence. */
const BETWEEN_REPORTS_MS = 730;

export interface Memory {
  readonly ofReaders: { readonly nowMb: number; readonly peakMb: number };
  /** The total, without and with the stalled clients. */
  readonly heldMb: { readonly without: number; readonly withStalled: number };
}

/** Measures with 10,000 orders of which 600 change each second. */
export async function measureMemory(): Promise<Memory> {
  return { ofReaders: await measureReaders(), heldMb: await measureStalled() };
}

async function measureReaders(): Promise<Memory['ofReaders']> {
  await using upstream = await startUpstream();
  await upstream.ask('by-second');
  await using server = await startServer(upstream.address);
  await using readers = await startReaders(toStream(server), READERS);
  await pause(MINUTE_MS);
  if ((await readers.ask('received')) === 0) throw new Error('nothing was received');
  return server.memory();
}

/**
 * Measures two servers of the same age, one of them with stalled clients, because a server's memory grows and shrinks
 * with its age.
 */
async function measureStalled(): Promise<Memory['heldMb']> {
  await using upstream = await startUpstream();
  await upstream.ask('by-second');
  await using plain = await startServer(upstream.address);
  await using burdened = await startServer(upstream.address);
  await using plainReader = await startReaders(toStream(plain), 1);
  await using burdenedReader = await startReaders(toStream(burdened), 1);
  await pause(MINUTE_MS);
  await using stalled = await startReaders(toStream(burdened), STALLED, 'pauses');
  await pause(MINUTE_MS);
  const held = await readHeld([plain, burdened]);
  const least = Math.min(
    ...(await Promise.all([plainReader, burdenedReader].map(async (reader) => Number(await reader.ask('received'))))),
  );
  if (least <= Number(await stalled.ask('received')) / STALLED)
    throw new Error('the readers that pause have received all');
  return { without: held[0] ?? Number.NaN, withStalled: held[1] ?? Number.NaN };
}

/**
 * Returns the least of several reports of each server: between readings, when no reading of all orders is being parsed.
 */
async function readHeld(servers: readonly Program[]): Promise<number[]> {
  const least = servers.map(() => Number.POSITIVE_INFINITY);
  for (let report = 0; report < REPORTS; report++) {
    for (const [index, server] of servers.entries())
      least[index] = Math.min(least[index] ?? 0, ((await server.ask('')) as MemoryReport).heldMb);
    await pause(BETWEEN_REPORTS_MS);
  }
  return least;
}

function kilobytesEach({ heldMb: { without, withStalled } }: Memory): number {
  return ((withStalled - without) * 1_024) / STALLED;
}

export function printMemory(memory: Memory): void {
  const { ofReaders, heldMb } = memory;
  console.log('\nMemory of the gateway after a minute, 600 of 10,000 orders changing each second\n');
  console.log(
    formatTable(
      ['', 'MB'],
      [
        ['1,000 readers', toDigits(ofReaders.nowMb)],
        ['1,000 readers, at most', toDigits(ofReaders.peakMb)],
        ['held with one reader, at least', toDigits(heldMb.without)],
        [`held with ${String(STALLED)} more that take nothing, at least`, toDigits(heldMb.withStalled)],
      ],
    ),
  );
}

export function memoryGoals(memory: Memory): Goal[] {
  return [
    {
      what: '1,000 readers, 600 changes a second: memory',
      measured: memory.ofReaders.nowMb,
      relation: 'at most',
      limit: 300,
      unit: 'MB',
    },
    {
      what: 'a reader that takes nothing for a minute',
      measured: kilobytesEach(memory),
      relation: 'at most',
      limit: 64,
      unit: 'kB',
    },
  ];
}
