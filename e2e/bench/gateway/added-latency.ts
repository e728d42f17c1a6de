import { load } from '../lib/load.ts';
import type { Program } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread, type Spread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import type { Proxies } from './rates.ts';
import { nextPath } from './servers.ts';

export interface AddedLatency {
  readonly directMs: number;
  readonly addedMs: Readonly<Record<string, number>>;
  /** The latency of Perpdesk divided by that of the bare signing loop. */
  readonly ratio: Spread;
}

/**
 * Sends one request after another, each a cache miss: the difference is what a proxy adds to the exchange's own time.
 */
export async function measureAddedLatency(proxies: Proxies, upstream: Program, rounds: number): Promise<AddedLatency> {
  const servers = new Map<string, Program>([['direct', upstream], ...proxies]);
  const measure = async (name: string): Promise<number> => {
    const address = servers.get(name)?.address ?? upstream.address;
    return (await load({ address, path: () => nextPath('/api/orders'), headers: {}, connections: 1, seconds: 1 }))
      .p50Ms;
  };
  const results = await runRounds([...servers.keys()], rounds, measure);
  const direct = results.get('direct') ?? [];
  const addedBy = (name: string): readonly number[] =>
    (results.get(name) ?? []).map((p50, round) => p50 - (direct[round] ?? Number.NaN));
  const loop = addedBy('signing-loop');
  return {
    directMs: median(direct),
    addedMs: Object.fromEntries([...proxies.keys()].map((name) => [name, median(addedBy(name))])),
    ratio: toSpread(addedBy('gateway').map((added, round) => added / (loop[round] ?? Number.NaN))),
  };
}

export function printAddedLatency({ directMs, addedMs }: AddedLatency): void {
  console.log(
    `\nWhat a proxy adds on a miss: one connection, p50 (the exchange itself takes ${toDigits(directMs)} ms)\n`,
  );
  console.log(
    formatTable(
      ['', 'ms'],
      Object.entries(addedMs).map(([name, ms]) => [name, toDigits(ms)]),
    ),
  );
}

export function latencyGoals({ ratio }: AddedLatency): Goal[] {
  return [
    {
      what: 'latency added on a miss',
      measured: ratio.median,
      relation: 'at most',
      limit: 1.2,
      unit: 'x the signing loop',
    },
  ];
}
