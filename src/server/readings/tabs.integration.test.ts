import { expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

const { trailingStatsAll, ordersWorking, fundingRates, chartVoi, orders } = ENDPOINTS;
/** The paths that screens poll, and how many seconds a response is fresh. The status needs no read of the exchange. */
const PATHS: ReadonlyMap<string, number> = new Map([
  ['/web/market/stats/trailing/all-products', trailingStatsAll.reuseSeconds],
  ['/desk/working', ordersWorking.reuseSeconds],
  ['/funding-rates/', fundingRates.reuseSeconds],
  ['/web/charts/voi', chartVoi.reuseSeconds],
  ['/orders?limit=100', orders.reuseSeconds],
  ['/desk/status', Infinity],
]);
const TABS = 50;
const SECONDS = 20;
const ROUND_MS = 2_000;

interface Seen {
  readonly statuses: ReadonlySet<number>;
  /** Reads of the exchange by path. */
  readonly reads: ReadonlyMap<string, number>;
  readonly tookSeconds: number;
}

/** Runs fifty tabs, each polling every path every two seconds. */
async function poll(desk: StartedDesk): Promise<Seen> {
  const statuses = new Set<number>();
  const reads = new Map([...PATHS.keys()].map((path) => [path, 0]));
  const start = performance.now();
  const end = start + SECONDS * 1_000;
  const tab = async (index: number): Promise<void> => {
    await pause((ROUND_MS * index) / TABS);
    while (performance.now() < end) {
      for (const path of PATHS.keys()) {
        const response = await fetch(desk.api + path);
        await response.arrayBuffer();
        statuses.add(response.status);
        if (response.headers.get('cache-status')?.includes('fwd=miss; stored') === true)
          reads.set(path, (reads.get(path) ?? 0) + 1);
      }
      await pause(ROUND_MS);
    }
  };
  await Promise.all(Array.from({ length: TABS }, (_, index) => tab(index)));
  return { statuses, reads, tookSeconds: (performance.now() - start) / 1_000 };
}

/** Returns the requests that count against the budget, without those that are made whether or not a tab is open. */
async function readSpent(desk: StartedDesk): Promise<number> {
  const { used, by_purpose: byPurpose } = (await readStatus(desk)).budget;
  return used - (byPurpose?.prefetch ?? 0);
}

async function readStatus(desk: StartedDesk): Promise<DeskStatus> {
  const response = await fetch(`${desk.api}/desk/status`);
  return createParser(DESK_ENDPOINTS.status.response).strict(await response.text());
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

test('fifty tabs cost the exchange as many reads as one, and none is rejected', { timeout: 180_000 }, async () => {
  const budget = '200/300';
  const desk = await startDesk({ venue: ['--budget', budget, '--live', 'on'], server: { DESK_BUDGET: budget } });
  try {
    // The self-test at startup does not count.
    await expect.poll(async () => (await readStatus(desk)).self_test).not.toBeNull();
    const before = await readSpent(desk);
    const { statuses, reads, tookSeconds } = await poll(desk);
    const { used } = (await readStatus(desk)).budget;
    expect([...statuses]).toEqual([200]);
    // The reads of one tab that reads again as soon as a response is stale, however slow the machine is.
    const most = new Map(
      [...PATHS].map(([path, seconds]) => [path, Math.floor(tookSeconds / seconds) + (seconds === Infinity ? 0 : 1)]),
    );
    for (const [path, count] of reads) expect(count, path).toBeLessThanOrEqual(most.get(path) ?? 0);
    // Trading data are read too, to find out whether the volume of past sessions is to be read again.
    const mostTradingData = Math.floor(tookSeconds / 60) + 1;
    expect((await readSpent(desk)) - before).toBeLessThanOrEqual(
      [...most.values()].reduce((sum, count) => sum + count, mostTradingData),
    );
    expect(used).toBeLessThanOrEqual(200);
    // Proves that the tabs polled.
    expect(reads.get('/desk/working')).toBeGreaterThan(1);
  } finally {
    await desk.stop();
  }
});
