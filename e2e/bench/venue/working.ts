import type { LoopReport } from '../lib/loop-probe.ts';
import type { Program } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { readOrders, startVenue } from './servers.ts';

const ROUNDS = 7;
const RESPONSES = 10;

/**
 * Measures `/orders/working` with as many orders as it may return: its time on the event loop, compared with
 * `JSON.stringify`.
 */
export async function measureWorking(store: string) {
  await using venue = await startVenue({ store, core: 1, probed: true });
  const rows = JSON.parse(await readOrders(venue, '/working')) as readonly unknown[];
  await respondAll(venue);
  const results = await runRounds(['venue', 'stringify'], ROUNDS, async (name) =>
    name === 'venue' ? respondAll(venue) : { busyMs: timeStringify(rows), latencyMs: 0, longestGapMs: 0 },
  );
  const responses = results.get('venue') ?? [];
  const stringify = (results.get('stringify') ?? []).map((run) => run.busyMs);
  return {
    rows: rows.length,
    stringifyMs: median(stringify),
    busyMs: median(responses.map((run) => run.busyMs)),
    latencyMs: median(responses.map((run) => run.latencyMs)),
    ratio: toSpread(responses.map((run, round) => run.busyMs / (stringify[round] ?? Number.NaN))),
    gapMs: toSpread(responses.map((run) => run.longestGapMs)),
  };
}

async function respondAll(venue: Program) {
  await venue.ask('since now');
  const latencies: number[] = [];
  for (let i = 0; i < RESPONSES; i++) {
    const start = performance.now();
    await readOrders(venue, '/working');
    latencies.push(performance.now() - start);
  }
  const { busyMs, longestGapMs } = (await venue.ask('until now')) as LoopReport;
  return { busyMs: busyMs / RESPONSES, longestGapMs, latencyMs: median(latencies) };
}

function timeStringify(rows: readonly unknown[]): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < RESPONSES; i++) JSON.stringify(rows);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / RESPONSES;
}

type Working = Awaited<ReturnType<typeof measureWorking>>;

export function printWorking({ rows, stringifyMs, busyMs, latencyMs, gapMs }: Working): void {
  console.log(`\n/orders/working with ${String(rows)} orders\n`);
  const lines = [
    ['JSON.stringify of the same rows', toDigits(stringifyMs)],
    ['one response, on the event loop', toDigits(busyMs)],
    ['whole response, as the client sees it', toDigits(latencyMs)],
    [
      'longest gap in the event loop',
      `${toDigits(gapMs.median)} (${toDigits(gapMs.lowest)}-${toDigits(gapMs.highest)})`,
    ],
  ];
  console.log(formatTable(['', 'ms'], lines));
}

export function workingGoals({ ratio, gapMs }: Working): Goal[] {
  return [
    { what: 'working orders', measured: ratio.median, relation: 'at most', limit: 0.5, unit: 'x JSON.stringify' },
    { what: 'longest gap meanwhile', measured: gapMs.median, relation: 'at most', limit: 10, unit: 'ms' },
  ];
}
