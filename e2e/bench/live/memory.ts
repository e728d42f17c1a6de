import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { formatTable } from '../lib/table.ts';
import type { MemoryReport } from './memory-probe.ts';
import { startGateway, startReaders, startUpstream, toStream } from './servers.ts';

const READERS = 1_000;
const STALLED = 200;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

export interface Memory {
  readonly ofReaders: { readonly nowMb: number; readonly peakMb: number };
  /** In all, without the stalled readers and with them. */
  readonly heldMb: { readonly without: number; readonly withStalled: number };
}

/** 10,000 orders of which 600 change each second. */
export async function measureMemory(): Promise<Memory> {
  return { ofReaders: await measureReaders(), heldMb: await measureStalled() };
}

async function measureReaders(): Promise<Memory['ofReaders']> {
  await using upstream = await startUpstream();
  await upstream.ask('by-second');
  await using gateway = await startGateway(upstream.address);
  await using readers = await startReaders(toStream(gateway), READERS);
  await pause(MINUTE_MS);
  if ((await readers.ask('received')) === 0) throw new Error('nothing was received');
  return gateway.memory();
}

async function measureStalled(): Promise<Memory['heldMb']> {
  await using upstream = await startUpstream();
  await upstream.ask('by-second');
  await using gateway = await startGateway(upstream.address);
  // What is kept for streams in general is there before and after.
  await using reader = await startReaders(toStream(gateway), 1);
  await pause(MINUTE_MS);
  const without = await readHeld(gateway);
  await using stalled = await startReaders(toStream(gateway), STALLED, 'pauses');
  await pause(MINUTE_MS);
  const withStalled = await readHeld(gateway);
  if (Number(await reader.ask('received')) <= Number(await stalled.ask('received')) / STALLED) throw new Error('the readers that pause have received all');
  return { without, withStalled };
}

async function readHeld(gateway: Program): Promise<number> {
  return ((await gateway.ask('')) as MemoryReport).heldMb;
}

function kilobytesEach({ heldMb: { without, withStalled } }: Memory): number {
  return ((withStalled - without) * 1_024) / STALLED;
}

export function printMemory(memory: Memory): void {
  const { ofReaders, heldMb } = memory;
  console.log('\nMemory of the gateway after a minute, 600 of 10,000 orders changing each second\n');
  console.log(
    formatTable(['', 'MB'], [
      ['1,000 readers', toDigits(ofReaders.nowMb)],
      ['1,000 readers, at most', toDigits(ofReaders.peakMb)],
      ['held with one reader', toDigits(heldMb.without)],
      [`held with ${String(STALLED)} more that take nothing`, toDigits(heldMb.withStalled)],
    ]),
  );
}

export function memoryGoals(memory: Memory): Goal[] {
  return [
    { what: '1,000 readers, 600 changes a second: memory', measured: memory.ofReaders.nowMb, relation: 'at most', limit: 300, unit: 'MB' },
    { what: 'a reader that takes nothing for a minute', measured: kilobytesEach(memory), relation: 'at most', limit: 64, unit: 'kB' },
  ];
}
