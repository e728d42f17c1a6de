import type { LoopReport } from '../lib/loop-probe.ts';
import type { Program } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { readOrders, startVenue } from './servers.ts';

const ROUNDS = 7;
const ANSWERS = 10;

/** `/orders/working` with all that may be asked for: what it takes of the thread with the event loop, beside making the JSON of it. */
export async function measureWorking(store: string) {
  await using venue = await startVenue({ store, core: 1, probed: true });
  const rows = JSON.parse(await readOrders(venue, '/working')) as readonly unknown[];
  await answerAll(venue);
  const results = await runRounds(['venue', 'stringify'], ROUNDS, async (name) =>
    name === 'venue' ? answerAll(venue) : { busyMs: timeStringify(rows), latencyMs: 0, longestGapMs: 0 },
  );
  const answers = results.get('venue') ?? [];
  const stringify = (results.get('stringify') ?? []).map((run) => run.busyMs);
  return {
    rows: rows.length,
    stringifyMs: median(stringify),
    busyMs: median(answers.map((run) => run.busyMs)),
    latencyMs: median(answers.map((run) => run.latencyMs)),
    ratio: toSpread(answers.map((run, round) => run.busyMs / (stringify[round] ?? Number.NaN))),
    gapMs: toSpread(answers.map((run) => run.longestGapMs)),
  };
}

async function answerAll(venue: Program) {
  await venue.ask('since now');
  const latencies: number[] = [];
  for (let i = 0; i < ANSWERS; i++) {
    const start = performance.now();
    await readOrders(venue, '/working');
    latencies.push(performance.now() - start);
  }
  const { busyMs, longestGapMs } = (await venue.ask('until now')) as LoopReport;
  return { busyMs: busyMs / ANSWERS, longestGapMs, latencyMs: median(latencies) };
}

function timeStringify(rows: readonly unknown[]): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < ANSWERS; i++) JSON.stringify(rows);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / ANSWERS;
}

type Working = Awaited<ReturnType<typeof measureWorking>>;

export function printWorking({ rows, stringifyMs, busyMs, latencyMs, gapMs }: Working): void {
  console.log(`\n/orders/working with ${String(rows)} orders\n`);
  const lines = [
    ['JSON.stringify of the same rows', toDigits(stringifyMs)],
    ['an answer, on the event loop', toDigits(busyMs)],
    ['whole answer, as its reader sees it', toDigits(latencyMs)],
    ['longest gap in the event loop', `${toDigits(gapMs.median)} (${toDigits(gapMs.lowest)}-${toDigits(gapMs.highest)})`],
  ];
  console.log(formatTable(['', 'ms'], lines));
}

export function workingGoals({ ratio, gapMs }: Working): Goal[] {
  return [
    { what: 'working orders', measured: ratio.median, relation: 'at most', limit: 0.5, unit: 'x JSON.stringify' },
    { what: 'longest gap meanwhile', measured: gapMs.median, relation: 'at most', limit: 10, unit: 'ms' },
  ];
}
