import type { Program } from '../lib/program.ts';
import { type Goal, toDigits } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { loadOrders, readOrders, startObviousServer, startVenue, walkTo } from './servers.ts';

const ROUNDS = 7;
const WARM_UP_SECONDS = 3;
const DEEP_PAGE = 9_000;
/** The core of the servers; the client has the others. */
const CORE = 1;

/**
 * Measures `/orders?limit=100` over a million orders: pages per second, deep pages, and a small store in comparison.
 */
export async function measurePages(million: string, tenThousand: string) {
  // This server starts first, because it copies the orders from the exchange's store, which the exchange opens
  // exclusively.
  await using obvious = await startObviousServer(million, CORE);
  await using ours = await startVenue({ store: million, core: CORE });
  await using small = await startVenue({ store: tenThousand, core: CORE });
  await requireEqualOrders(ours, obvious);
  const rates = await measureRates({ ours, obvious });
  const latencies = await measureLatencies({ ours, small }, await walkTo(ours, DEEP_PAGE));
  return { ...rates, ...latencies, memory: ours.memory() };
}

async function requireEqualOrders(ours: Program, obvious: Program): Promise<void> {
  const [first, second] = await Promise.all([readOrders(ours, '?limit=100'), readOrders(obvious, '?limit=100')]);
  const rows = (body: string): string => JSON.stringify((JSON.parse(body) as { readonly data: unknown }).data);
  if (rows(first) !== rows(second)) throw new Error('The two servers return different orders.');
}

/** Measures pages per second of the core's own time, so that other work of the machine does not count. */
async function measureRates(servers: Readonly<Record<'ours' | 'obvious', Program>>) {
  // Neither server is measured while its code is still being compiled.
  for (const server of Object.values(servers)) await loadOrders(server, { connections: 16, seconds: WARM_UP_SECONDS });
  const results = await runRounds(['ours', 'obvious'], ROUNDS, async (name) => {
    const server = servers[name];
    const cpu = server.cpuMs();
    const result = await loadOrders(server, { connections: 16, seconds: 2 });
    return { ...result, cpuMsEach: (server.cpuMs() - cpu) / result.requests };
  });
  const ours = results.get('ours') ?? [];
  const obvious = results.get('obvious') ?? [];
  const ratio = toSpread(ours.map((run, round) => (obvious[round]?.cpuMsEach ?? Number.NaN) / run.cpuMsEach));
  return { rates: { ours, obvious, ratio } };
}

async function measureLatencies(servers: Readonly<Record<'ours' | 'small', Program>>, cursor: string) {
  const requests = {
    first: () => loadOrders(servers.ours, { connections: 1, seconds: 1 }),
    deep: () => loadOrders(servers.ours, { connections: 1, seconds: 1, cursor }),
    small: () => loadOrders(servers.small, { connections: 1, seconds: 1 }),
  };
  const results = await runRounds(['first', 'deep', 'small'], ROUNDS, async (name) => (await requests[name]()).p50Ms);
  const first = results.get('first') ?? [];
  const ratioTo = (others: readonly number[], from: readonly number[]) =>
    toSpread(from.map((value, round) => value / (others[round] ?? Number.NaN)));
  return {
    depth: {
      firstMs: median(first),
      deepMs: median(results.get('deep') ?? []),
      ratio: ratioTo(first, results.get('deep') ?? []),
    },
    size: { smallMs: median(results.get('small') ?? []), ratio: ratioTo(results.get('small') ?? [], first) },
  };
}

type Pages = Awaited<ReturnType<typeof measurePages>>;

export function printPages({ rates, depth, size }: Pages): void {
  const row = (name: string, runs: Pages['rates']['ours']): string[] => [
    name,
    toDigits(median(runs.map((run) => run.perSecond))),
    toDigits(median(runs.map((run) => run.p50Ms))),
    toDigits(median(runs.map((run) => run.p99Ms))),
    toDigits(1000 / median(runs.map((run) => run.cpuMsEach))),
  ];
  console.log('\n/orders?limit=100 over 1,000,000 orders, 16 connections, the server on one core\n');
  console.log(
    formatTable(
      ['', 'pages/s', 'p50 ms', 'p99 ms', 'pages/core second'],
      [row('venue', rates.ours), row('obvious server', rates.obvious)],
    ),
  );
  console.log('\none connection, median latency\n');
  const latencies = [
    ['page 1 of a million', toDigits(depth.firstMs), ''],
    [`page ${String(DEEP_PAGE)} of a million`, toDigits(depth.deepMs), toDigits(depth.ratio.median)],
    ['page 1 of ten thousand', toDigits(size.smallMs), toDigits(1 / size.ratio.median)],
  ];
  console.log(formatTable(['', 'ms', 'x page 1'], latencies));
}

export function pageGoals({ rates, depth, size }: Pages): Goal[] {
  return [
    {
      what: 'rate of pages',
      measured: rates.ratio.median,
      relation: 'at least',
      limit: 4,
      unit: 'x the obvious server',
    },
    { what: 'page 9,000', measured: depth.ratio.median, relation: 'at most', limit: 1.1, unit: 'x page 1' },
    { what: 'a million orders', measured: size.ratio.median, relation: 'at most', limit: 1.3, unit: 'x ten thousand' },
  ];
}
