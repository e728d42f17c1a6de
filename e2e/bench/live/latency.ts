import type { Browser } from '@playwright/test';
import { TOPICS } from '../../../src/contract/desk/topics.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { quantile } from '../lib/statistics.ts';
import { CLOCK_MS } from './clock.ts';
import { watchClock, type Seen } from './in-page.ts';
import { openContext, openOrders, prepare, untilPushed } from './pages.ts';
import { startServer, startUpstream } from './servers.ts';

const WATCH_MS = 60_000;
/** The time between two changes whose paint is measured. */
const STEP_MS = 10;
const CADENCE_MS = TOPICS['working-orders'].everySeconds * 1_000;
const ALLOWED_MS = 250;

export interface Latency {
  readonly readings: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The part of the latency after the exchange was read. */
  readonly afterReadingMs: number;
}

/**
 * Measures from a change at the exchange to the pixel. The exchange changes all the time, so that no moment is a lucky
 * one.
 */
export async function measureLatency(venue: URL, browser: Browser): Promise<Latency> {
  await using upstream = await startUpstream(venue);
  await upstream.ask('clock');
  await using server = await startServer(upstream.address);
  await using context = await openContext(browser, 'worker');
  const page = await context.newPage();
  await openOrders(page, server);
  await untilPushed(page);
  await prepare(page);
  return toLatency(await page.evaluate(watchClock, WATCH_MS));
}

/** Computes latencies. A change is on screen as soon as any later one is. */
function toLatency(seen: readonly Seen[]): Latency {
  const changes = seen.slice(1).flatMap(({ value, paintedAt }, index) => {
    const from = seen[index]?.value ?? value;
    const count = Math.floor(sinceClock(value, from) / STEP_MS);
    return Array.from({ length: count }, (_, step) => sinceClock(paintedAt % CLOCK_MS, value) + step * STEP_MS);
  });
  return {
    readings: seen.length,
    medianMs: quantile(changes, 0.5),
    p95Ms: quantile(changes, 0.95),
    afterReadingMs: quantile(
      seen.map(({ value, paintedAt }) => sinceClock(paintedAt % CLOCK_MS, value)),
      0.95,
    ),
  };
}

function sinceClock(later: number, earlier: number): number {
  return (later - earlier + CLOCK_MS) % CLOCK_MS;
}

export function printLatency({ readings, medianMs, p95Ms, afterReadingMs }: Latency): void {
  console.log(
    `\nFrom a change at the exchange to the pixel, ${String(readings)} readings: median ${toDigits(medianMs)} ms, p95 ${toDigits(p95Ms)} ms; after a reading, p95 ${toDigits(afterReadingMs)} ms`,
  );
}

export function latencyGoals({ p95Ms }: Latency): Goal[] {
  return [
    {
      what: 'from a change at the exchange to the pixel, p95',
      measured: p95Ms,
      relation: 'at most',
      limit: CADENCE_MS + ALLOWED_MS,
      unit: 'ms',
    },
  ];
}
