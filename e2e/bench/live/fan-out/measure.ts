import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serverNodeFlags } from '../../../../src/cli/node-flags.mjs';
import { startProgram, type Program } from '../../lib/program.ts';
import { toDigits, type Goal } from '../../lib/report.ts';
import { runRounds } from '../../lib/rounds.ts';
import { median, toSpread, type Spread } from '../../lib/statistics.ts';
import { formatTable } from '../../lib/table.ts';
import { startReaders } from '../servers.ts';
import type { SenderReport } from './sender.ts';

const CLIENTS = 1_000;
const CHANGES = 5;
const SENDERS = ['hub', 'sockets', 'better-sse'] as const;
type SenderName = (typeof SENDERS)[number];

interface Sent {
  /** The cost of one change to all clients. */
  readonly cpuMs: number;
  /** The memory beyond that without clients. */
  readonly memoryMb: number;
  /** The cost for each client. */
  readonly bytes: number;
}

export type FanOut = ReadonlyMap<SenderName, readonly Sent[]>;

interface Pair {
  readonly server: Program;
  readonly aloneMb: number;
  readonly readers: Program;
}

/**
 * Measures one change of 600 rows, from being ready to being sent to a thousand clients, each with its own connection.
 */
export async function measureFanOut(rounds: number): Promise<FanOut> {
  await using started = new AsyncDisposableStack();
  const pairs = new Map<SenderName, Pair>();
  for (const name of SENDERS) {
    const server = started.use(await startSender(name));
    const aloneMb = await measureAlone(server);
    const readers = started.use(
      await startReaders(new URL('/api/desk/live?topic=working-orders', server.address), CLIENTS),
    );
    const pair = { server, readers, aloneMb };
    await untilReceived(pair, await report(server, ''));
    pairs.set(name, pair);
  }
  const measure = async (name: SenderName): Promise<Sent> => {
    const pair = pairs.get(name);
    if (pair === undefined) throw new Error(`${name} was not started`);
    return sendChanges(pair);
  };
  for (const name of SENDERS) await measure(name);
  return await runRounds(SENDERS, rounds, measure);
}

function startSender(name: SenderName): Promise<Program> {
  return startProgram({
    args: [...serverNodeFlags, join(import.meta.dirname, `${name}.ts`)],
    ready: /ready at (http:\S+)/,
    environment: { NODE_ENV: 'production' },
  });
}

/** Measures the memory without any client, which the orders and the garbage of their changes take. */
async function measureAlone(server: Program): Promise<number> {
  for (let change = 0; change < 2 * CHANGES; change++) await report(server, 'send');
  return server.memory().nowMb;
}

async function sendChanges(pair: Pair): Promise<Sent> {
  const cpuMs: number[] = [];
  let bytes = 0;
  for (let change = 0; change < CHANGES; change++) {
    const before = await report(pair.server, '');
    const after = await untilReceived(pair, await report(pair.server, 'send'));
    cpuMs.push(after.cpuMs);
    bytes += after.sentBytes - before.sentBytes;
  }
  return {
    cpuMs: median(cpuMs),
    memoryMb: pair.server.memory().nowMb - pair.aloneMb,
    bytes: bytes / CHANGES / CLIENTS,
  };
}

/**
 * Waits until everything is received. The server may still be sending, so its own count is read until the two agree.
 */
async function untilReceived(
  { server, readers }: Pick<Pair, 'server' | 'readers'>,
  sent: SenderReport,
): Promise<SenderReport> {
  for (let last = sent; ; last = await report(server, '')) {
    if ((await readers.ask('received')) === last.sentBytes) return last;
    await pause(20);
  }
}

function report(server: Program, message: string): Promise<SenderReport> {
  return server.ask(message) as Promise<SenderReport>;
}

export function printFanOut(results: FanOut): void {
  const spreadOf = (runs: readonly Sent[], read: (sent: Sent) => number): string => {
    const { median: middle, lowest, highest } = toSpread(runs.map(read));
    return `${toDigits(middle)} (${toDigits(lowest)}–${toDigits(highest)})`;
  };
  const rows = [...results].map(([name, runs]) => [
    name,
    spreadOf(runs, ({ cpuMs }) => cpuMs),
    spreadOf(runs, ({ memoryMb }) => memoryMb),
    toDigits(median(runs.map(({ bytes }) => bytes / 1_000))),
  ]);
  console.log(`\nOne change of 600 of 10,000 orders, sent to ${CLIENTS.toLocaleString('en')} clients\n`);
  console.log(formatTable(['', 'CPU ms', 'MB more', 'kB each'], rows));
}

function ratioTo(results: FanOut, peer: SenderName, read: (sent: Sent) => number): Spread {
  const others = results.get(peer) ?? [];
  return toSpread(
    (results.get('hub') ?? []).map(
      (run, round) => read(run) / (others[round] === undefined ? NaN : read(others[round])),
    ),
  );
}

export function fanOutGoals(results: FanOut): Goal[] {
  const against = (what: string, peer: SenderName, limit: number, read: (sent: Sent) => number): Goal => ({
    what,
    measured: ratioTo(results, peer, read).median,
    relation: 'at most',
    limit,
    unit: `x ${peer}`,
  });
  return [
    against('a change to 1,000 clients: CPU', 'sockets', 1.5, ({ cpuMs }) => cpuMs),
    against('a change to 1,000 clients: CPU', 'better-sse', 0.25, ({ cpuMs }) => cpuMs),
    against('1,000 clients: memory more than without', 'better-sse', 0.5, ({ memoryMb }) => memoryMb),
  ];
}
