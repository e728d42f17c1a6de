import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { measureRates, ratioTo, type Rates } from './rates.ts';
import { loadProxy, nextPath, startServer, startProxy, type ProxyLoad } from './servers.ts';

const PATH = '/api/orders/working';
const CONNECTIONS = 16;
const CODINGS = ['br', 'identity'] as const;

export interface WorkingSet {
  readonly stored: ReadonlyMap<(typeof CODINGS)[number], readonly ProxyLoad[]>;
  readonly misses: Rates;
  readonly peakMb: Readonly<Record<'server' | 'reply-from', number>>;
}

/** Measures 10,000 orders, 4 MB: compressed once and sent to many, and passed through to one. */
export async function measureWorkingSet(upstream: URL, rounds: number): Promise<WorkingSet> {
  return { stored: await measureStored(upstream, rounds), ...(await measureMisses(upstream, rounds)) };
}

async function measureStored(upstream: URL, rounds: number): Promise<WorkingSet['stored']> {
  await using server = await startServer(upstream);
  const measure = (coding: string): Promise<ProxyLoad> =>
    loadProxy(server, { path: PATH, headers: { 'accept-encoding': coding }, connections: CONNECTIONS, seconds: 1.5 });
  for (const coding of CODINGS) await measure(coding);
  return await runRounds(CODINGS, rounds, measure);
}

/** Measures in new processes, because their peak memory counts. */
async function measureMisses(upstream: URL, rounds: number): Promise<Pick<WorkingSet, 'misses' | 'peakMb'>> {
  await using server = await startServer(upstream);
  await using peer = await startProxy('reply-from', upstream);
  if (peer === null) throw new Error('reply-from is not installed');
  const proxies = new Map([
    ['gateway', server],
    ['reply-from', peer],
  ] as const);
  const misses = await measureRates(proxies, { path: () => nextPath(PATH), connections: CONNECTIONS }, rounds);
  return { misses, peakMb: { 'server': server.memory().peakMb, 'reply-from': peer.memory().peakMb } };
}

export function printWorkingSet({ stored, misses, peakMb }: WorkingSet): void {
  const cpu = (runs: readonly ProxyLoad[] = []): string => toDigits(median(runs.map((run) => run.cpuMsEach)));
  const rows = [
    ['gateway, from memory, brotli', cpu(stored.get('br')), ''],
    ['gateway, from memory, uncompressed', cpu(stored.get('identity')), ''],
    ['gateway, passed through', cpu(misses.get('gateway')), toDigits(peakMb.server)],
    ['reply-from', cpu(misses.get('reply-from')), toDigits(peakMb['reply-from'])],
  ];
  console.log(`\nA working set of 4 MB, ${String(CONNECTIONS)} connections\n`);
  console.log(formatTable(['', 'CPU ms each', 'peak MB'], rows));
}

export function workingSetGoals({ stored, misses, peakMb }: WorkingSet): Goal[] {
  const uncompressed = stored.get('identity') ?? [];
  const brotli = toSpread(
    (stored.get('br') ?? []).map((run, round) => run.cpuMsEach / (uncompressed[round]?.cpuMsEach ?? Number.NaN)),
  );
  return [
    {
      what: 'stored brotli, CPU',
      measured: brotli.median,
      relation: 'at most',
      limit: 0.1,
      unit: 'x sending it uncompressed',
    },
    {
      what: 'working set missed, CPU',
      measured: ratioTo(misses, 'reply-from', (run) => run.cpuMsEach).median,
      relation: 'at most',
      limit: 0.85,
      unit: 'x reply-from',
    },
    {
      what: 'working set missed, memory',
      measured: peakMb.server / peakMb['reply-from'],
      relation: 'at most',
      limit: 0.75,
      unit: 'x reply-from',
    },
  ];
}
