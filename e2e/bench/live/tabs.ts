import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readCpuMs } from '../lib/program.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { openContext, openOrders, startBrowser, untilPushed } from './pages.ts';
import { startServer, startUpstream } from './servers.ts';

const WAYS = ['worker', 'polling'] as const;
type TabsWay = (typeof WAYS)[number];
const MINUTE_MS = 60_000;
const TAB_MS = 30_000;

interface Cost {
  readonly serverMs: number;
  readonly browserMs: number;
}

export type Tabs = ReadonlyMap<TabsWay, readonly Cost[]>;

/**
 * Measures what many open tabs of 10,000 orders cost per minute, for server and browser together, while 600 orders
 * change each second.
 */
export function measureTabs(venue: URL, tabs: number, rounds: number): Promise<Tabs> {
  return runRounds(WAYS, rounds, (way) => measureWay(venue, way, tabs, MINUTE_MS));
}

/** Measures what one visible tab costs the browser. */
export function measureTab(venue: URL, rounds: number): Promise<Tabs> {
  return runRounds(WAYS, rounds, (way) => measureWay(venue, way, 1, TAB_MS));
}

async function measureWay(venue: URL, way: TabsWay, tabs: number, forMs: number): Promise<Cost> {
  await using upstream = await startUpstream(venue);
  await upstream.ask('by-second');
  await using server = await startServer(upstream.address);
  await using started = await startBrowser();
  const context = await openContext(started.browser, way);
  for (let opened = 0; opened < tabs; opened++) {
    const page = await context.newPage();
    await openOrders(page, server);
    if (way === 'worker') await untilPushed(page);
  }
  const before = { serverMs: server.cpuMs(), browserMs: readTreeCpuMs(started.pid) };
  await pause(forMs);
  return { serverMs: server.cpuMs() - before.serverMs, browserMs: readTreeCpuMs(started.pid) - before.browserMs };
}

/** Reads the processor time of a process and all its descendants. */
function readTreeCpuMs(root: number): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readParent(name)]),
  );
  const isOfTree = (pid: number): boolean => pid === root || (parents.has(pid) && isOfTree(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isOfTree).reduce((sum, pid) => sum + readCpuMs(pid), 0);
}

function readParent(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    // The process has just ended.
    return 0;
  }
}

export function printTab(results: Tabs): void {
  const rows = [...results].map(([way, costs]) => {
    const { median: middle, lowest, highest } = toSpread(costs.map(({ browserMs }) => browserMs));
    return [nameOf(way), `${toDigits(middle)} (${toDigits(lowest)}–${toDigits(highest)})`];
  });
  console.log('\nOne visible tab of 10,000 orders for half a minute, 600 of them changed each second\n');
  console.log(formatTable(['', 'CPU ms of the browser'], rows));
}

function nameOf(way: TabsWay): string {
  return way === 'worker' ? 'live' : way;
}

export function printTabs(results: Tabs, tabs: number): void {
  const rows = [...results].map(([way, costs]) => [
    nameOf(way),
    toDigits(median(costs.map(({ serverMs }) => serverMs)) / 1_000),
    toDigits(median(costs.map(({ browserMs }) => browserMs)) / 1_000),
  ]);
  console.log(`\n${String(tabs)} tabs of 10,000 orders for a minute: seconds of a core\n`);
  console.log(formatTable(['', 'gateway', 'browser'], rows));
}

function toRatio(results: Tabs, read: (cost: Cost) => number): number {
  const polling = results.get('polling') ?? [];
  return median(
    (results.get('worker') ?? []).map((cost, round) => {
      const other = polling[round];
      return read(cost) / (other === undefined ? NaN : read(other));
    }),
  );
}

export function tabGoals(results: Tabs): Goal[] {
  return [
    {
      what: 'one visible tab: CPU of the browser',
      measured: toRatio(results, ({ browserMs }) => browserMs),
      relation: 'at most',
      limit: 0.6,
      unit: 'x polling',
    },
  ];
}

export function tabsGoals(results: Tabs): Goal[] {
  return [
    {
      what: 'open tabs: CPU of gateway and browser',
      measured: toRatio(results, ({ serverMs, browserMs }) => serverMs + browserMs),
      relation: 'at most',
      limit: 0.2,
      unit: 'x polling',
    },
  ];
}
