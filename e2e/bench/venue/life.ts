import { setTimeout } from 'node:timers/promises';
import { toDigits, type Goal } from '../lib/report.ts';
import { toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { startVenue } from './servers.ts';

const STARTS = 5;
const WINDOWS = 5;
const WINDOW_MS = 4_000;
const SETTLING_MS = 5_000;

/** Generates a store. */
export async function makeStore(store: string, orders: number, working?: number) {
  await using venue = await startVenue({ store, orders, ...(working !== undefined && { working }) });
  return { seconds: venue.startMs / 1000, coreSeconds: venue.cpuMs() / 1000, peakMb: venue.memory().peakMb };
}

/** Starts the exchange on an existing store; its market resumes where it stopped. */
export async function measureWarmStart(store: string) {
  const seconds: number[] = [];
  const coreSeconds: number[] = [];
  const peaksMb: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await using venue = await startVenue({ store, live: true });
    seconds.push(venue.startMs / 1000);
    coreSeconds.push(venue.cpuMs() / 1000);
    await setTimeout(1_000);
    peaksMb.push(venue.memory().peakMb);
  }
  return { seconds: toSpread(seconds), coreSeconds: toSpread(coreSeconds), peakMb: toSpread(peaksMb) };
}

/** The share of a core that the market takes without requests, at its default rates. */
export async function measureLiveMarket(store: string) {
  await using venue = await startVenue({ store, live: true });
  await setTimeout(SETTLING_MS);
  const shares: number[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const [cpu, start] = [venue.cpuMs(), performance.now()];
    await setTimeout(WINDOW_MS);
    shares.push((100 * (venue.cpuMs() - cpu)) / (performance.now() - start));
  }
  return { percent: toSpread(shares), peakMb: venue.memory().peakMb };
}

export interface Life {
  readonly making: Awaited<ReturnType<typeof makeStore>>;
  readonly warm: Awaited<ReturnType<typeof measureWarmStart>>;
  readonly live: Awaited<ReturnType<typeof measureLiveMarket>>;
}

export function printLife({ making, warm, live }: Life): void {
  console.log('\nthe exchange itself\n');
  const lines = [
    [
      'generating a million orders',
      `${toDigits(making.seconds)} s`,
      `${toDigits(making.coreSeconds)} s`,
      toDigits(making.peakMb),
    ],
    [
      'warm start on a million',
      `${toDigits(warm.seconds.median)} s`,
      `${toDigits(warm.coreSeconds.median)} s`,
      toDigits(warm.peakMb.median),
    ],
    ['live market, default rates', '', `${toDigits(live.percent.median)} % of the time`, toDigits(live.peakMb)],
  ];
  console.log(formatTable(['', 'takes', 'on a core', 'peak MB'], lines));
}

export function lifeGoals({ making, warm, live }: Life, servingMb: number): Goal[] {
  const memory = { relation: 'at most', limit: 300, unit: 'MB' } as const;
  return [
    { what: 'live market', measured: live.percent.median, relation: 'at most', limit: 10, unit: '% of a core' },
    { what: 'warm start on a million orders', measured: warm.seconds.median, relation: 'at most', limit: 1, unit: 's' },
    { what: 'generating a million orders', measured: making.seconds, relation: 'at most', limit: 60, unit: 's' },
    { ...memory, what: 'memory while generating them', measured: making.peakMb },
    { ...memory, what: 'memory after a warm start', measured: warm.peakMb.median },
    { ...memory, what: 'memory after serving pages', measured: servingMb },
  ];
}
