import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import type { Program } from '../lib/program.ts';
import type { Goal } from '../lib/report.ts';
import { formatTable } from '../lib/table.ts';
import { openContext, openOrders } from './pages.ts';
import { startServer, startReaders, startUpstream, toStream } from './servers.ts';

const VIEWERS = [0, 1, 50, 1_000] as const;
const MINUTE_MS = 60_000;

/** The requests of each server to its exchange, by path. */
type Counts = Readonly<Record<string, number>>;

export interface Requests {
  readonly minutes: number;
  /** The results by the number of streams. */
  readonly streams: ReadonlyMap<number, Counts>;
  readonly polling: Counts;
}

/**
 * Measures all at the same time, each with its own server and exchange, so that a rare event does not affect only some
 * of them.
 */
export async function measureRequests(venue: URL, browser: Browser, minutes: number): Promise<Requests> {
  await using started = new AsyncDisposableStack();
  const start = async (): Promise<Desk> => {
    const upstream = started.use(await startUpstream(venue));
    await upstream.ask('by-reading');
    return { upstream, server: started.use(await startServer(upstream.address)) };
  };
  const desks = new Map<number, Desk>();
  for (const viewers of VIEWERS) {
    const desk = await start();
    desks.set(viewers, desk);
    if (viewers > 0) started.use(await startReaders(toStream(desk.server), viewers));
  }
  const polling = await start();
  const context = await openContext(browser, 'polling');
  started.defer(() => context.close());
  await openOrders(await context.newPage(), polling.server);

  const before = await Promise.all([...desks.values(), polling].map(count));
  await pause(minutes * MINUTE_MS);
  const after = await Promise.all([...desks.values(), polling].map(count));
  const counts = after.map((each, index) => difference(each, before[index] ?? {}));
  return {
    minutes,
    streams: new Map(VIEWERS.map((viewers, index) => [viewers, counts[index] ?? {}])),
    polling: counts.at(-1) ?? {},
  };
}

interface Desk {
  readonly upstream: Program;
  readonly server: Program;
}

async function count({ upstream }: Desk): Promise<Counts> {
  return (await upstream.ask('counts')) as Counts;
}

function difference(after: Counts, before: Counts): Counts {
  return Object.fromEntries(Object.entries(after).map(([path, times]) => [path, times - (before[path] ?? 0)]));
}

function ofOrders(counts: Counts = {}): number {
  return Object.entries(counts).reduce((sum, [path, times]) => sum + (path.endsWith('/orders/working') ? times : 0), 0);
}

function inAll(counts: Counts = {}): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

export function printRequests({ minutes, streams, polling }: Requests): void {
  const rows = [
    ...[...streams].map(([viewers, counts]) => [`${viewers.toLocaleString('en')} streams`, counts] as const),
    ['one page that polls', polling] as const,
  ];
  console.log(`\nRequests to the exchange in ${String(minutes)} min\n`);
  console.log(
    formatTable(
      ['', 'working orders', 'all'],
      rows.map(([name, counts]) => [name, String(ofOrders(counts)), String(inAll(counts))]),
    ),
  );
}

export function requestGoals({ streams, polling }: Requests): Goal[] {
  const one = ofOrders(streams.get(1));
  return [
    {
      what: 'requests for working orders with nobody looking',
      measured: ofOrders(streams.get(0)),
      relation: 'at most',
      limit: 0,
      unit: '',
    },
    // There may be one more or one less if a reading is cut off by the end.
    {
      what: 'requests for working orders, 1,000 streams',
      measured: ofOrders(streams.get(1_000)),
      relation: 'at most',
      limit: one + 1,
      unit: '(one stream, and one)',
    },
    {
      what: 'requests for working orders, one stream',
      measured: one,
      relation: 'at most',
      limit: ofOrders(polling) + 1,
      unit: '(one page that polls, and one)',
    },
  ];
}
