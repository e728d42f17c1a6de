import type { Program } from '../lib/program.ts';
import { toDigits } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread, type Spread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { loadProxy, type ProxyLoad, type ProxyName } from './servers.ts';

export type Proxies = ReadonlyMap<ProxyName, Program>;
export type Rates = ReadonlyMap<ProxyName, readonly ProxyLoad[]>;

/** The load for each proxy; its headers may differ. */
export interface RateOptions {
  readonly path: string | (() => string);
  readonly headers?: (name: ProxyName) => Readonly<Record<string, string>>;
  readonly status?: number;
  readonly connections: number;
}

const SECONDS = 1.5;

/** Measures all proxies in turn in every round, and once before the first as a warm-up. */
export async function measureRates(
  proxies: Proxies,
  { headers = () => ({}), ...options }: RateOptions,
  rounds: number,
): Promise<Rates> {
  const names = [...proxies.keys()];
  const measure = (name: ProxyName): Promise<ProxyLoad> => {
    const proxy = proxies.get(name);
    if (proxy === undefined) throw new Error(`${name} was not started`);
    return loadProxy(proxy, { ...options, headers: headers(name), seconds: SECONDS });
  };
  for (const name of names) await measure(name);
  return runRounds(names, rounds, measure);
}

/** Returns Perpdesk's figure divided by the peer's from the same round; `NaN` without the peer. */
export function ratioTo(rates: Rates, peer: ProxyName, pick: (run: ProxyLoad) => number): Spread {
  return ratioOf(rates, 'gateway', peer, pick);
}

export function ratioOf(rates: Rates, one: ProxyName, other: ProxyName, pick: (run: ProxyLoad) => number): Spread {
  const others = rates.get(other) ?? [];
  return toSpread((rates.get(one) ?? []).map((run, round) => pick(run) / pick(others[round] ?? run)));
}

export function printRates(title: string, rates: Rates): void {
  const rows = [...rates].map(([name, runs]) => [
    name,
    ...[
      runs.map((run) => run.perCoreSecond),
      runs.map((run) => run.perSecond),
      runs.map((run) => run.p50Ms),
      runs.map((run) => run.p99Ms),
    ].map((values) => toDigits(median(values))),
  ]);
  console.log(`\n${title}\n`);
  console.log(formatTable(['', 'a second of its core', 'a second', 'p50 ms', 'p99 ms'], rows));
}
