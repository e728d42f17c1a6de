import { expect, test } from 'vitest';
import { DESK_ANSWERS, type DeskStatus } from '#contract/desk.ts';
import { ENDPOINTS } from '#contract/endpoints.ts';
import { createParser } from '#contract/parse.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

const { trailingStatsAll, ordersWorking, fundingRates, chartVoi, orders } = ENDPOINTS;
/** What a screen asks again and again, and for how long an answer may be used again: the desk's status asks nothing of the venue. */
const QUESTIONS: ReadonlyMap<string, number> = new Map([
  ['/web/market/stats/trailing/all-products', trailingStatsAll.reuseSeconds],
  ['/desk/working', ordersWorking.reuseSeconds],
  ['/funding-rates/', fundingRates.reuseSeconds],
  ['/web/charts/voi', chartVoi.reuseSeconds],
  ['/orders?limit=100', orders.reuseSeconds],
  ['/desk/status', Infinity],
]);
const TABS = 50;
const SECONDS = 60;
const ROUND_MS = 2_000;

interface Seen {
  readonly statuses: ReadonlySet<number>;
  /** Of each question, how often the venue had to be asked. */
  readonly reads: ReadonlyMap<string, number>;
  readonly tookSeconds: number;
}

/** So many tabs, for a minute, each asking everything every other second. */
async function watch(desk: StartedDesk): Promise<Seen> {
  const statuses = new Set<number>();
  const reads = new Map([...QUESTIONS.keys()].map((question) => [question, 0]));
  const start = performance.now();
  const end = start + SECONDS * 1_000;
  const tab = async (index: number): Promise<void> => {
    await pause((ROUND_MS * index) / TABS);
    while (performance.now() < end) {
      for (const question of QUESTIONS.keys()) {
        const answer = await fetch(desk.api + question);
        await answer.arrayBuffer();
        statuses.add(answer.status);
        if (answer.headers.get('cache-status')?.includes('fwd=miss; stored') === true) reads.set(question, (reads.get(question) ?? 0) + 1);
      }
      await pause(ROUND_MS);
    }
  };
  await Promise.all(Array.from({ length: TABS }, (_, index) => tab(index)));
  return { statuses, reads, tookSeconds: (performance.now() - start) / 1_000 };
}

async function readStatus(desk: StartedDesk): Promise<DeskStatus> {
  const answer = await fetch(`${desk.api}/desk/status`);
  return createParser(DESK_ANSWERS.status.response).strict(await answer.text());
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

test('fifty tabs cost the venue what one does, and it never refuses one of them', { timeout: 180_000 }, async () => {
  const budget = '200/300';
  const desk = await startDesk({ venue: ['--budget', budget, '--live', 'on'], gateway: { DESK_BUDGET: budget } });
  try {
    // What the desk tries at its start is none of a tab's.
    await expect.poll(async () => (await readStatus(desk)).self_test).not.toBeNull();
    const before = (await readStatus(desk)).budget.used;
    const { statuses, reads, tookSeconds } = await watch(desk);
    const { used } = (await readStatus(desk)).budget;
    expect([...statuses]).toEqual([200]);
    // One tab that asks again as soon as an answer may not be used any more: however long the machine takes, nobody needs more.
    const most = new Map([...QUESTIONS].map(([question, seconds]) => [question, Math.floor(tookSeconds / seconds) + (seconds === Infinity ? 0 : 1)]));
    for (const [question, count] of reads) expect(count, question).toBeLessThanOrEqual(most.get(question) ?? 0);
    expect(used - before).toBeLessThanOrEqual([...most.values()].reduce((sum, count) => sum + count, 0));
    expect(used).toBeLessThanOrEqual(200);
    // Else the tabs would have asked nothing.
    expect(reads.get('/desk/working')).toBeGreaterThan(1);
  } finally {
    await desk.stop();
  }
});
