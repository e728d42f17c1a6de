import { expect, test } from 'vitest';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';

/** What a screen asks again and again. */
const QUESTIONS = ['/web/market/stats/trailing/all-products', '/desk/working', '/funding-rates/', '/web/charts/voi', '/orders?limit=100', '/desk/status'];
const TABS = 50;
const SECONDS = 60;
const ROUND_MS = 2_000;

interface Seen {
  readonly statuses: ReadonlyMap<number, number>;
  readonly upstream: number;
}

/** So many tabs, for a minute, each asking everything every other second. */
async function watch(desk: StartedDesk, tabs: number): Promise<Seen> {
  const before = await upstreamReads(desk);
  const statuses = new Map<number, number>();
  const end = Date.now() + SECONDS * 1_000;
  const tab = async (index: number): Promise<void> => {
    await pause((ROUND_MS * index) / tabs);
    while (Date.now() < end) {
      for (const question of QUESTIONS) {
        const answer = await fetch(desk.api + question);
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      await pause(ROUND_MS);
    }
  };
  await Promise.all(Array.from({ length: tabs }, (_, index) => tab(index)));
  return { statuses, upstream: (await upstreamReads(desk)) - before };
}

async function upstreamReads(desk: StartedDesk): Promise<number> {
  const answer = await fetch(`${desk.api}/desk/status`);
  return createParser(DESK_ANSWERS.status.response).strict(await answer.text()).budget.used;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function watchOn(tabs: number): Promise<Seen> {
  const budget = '200/300';
  const desk = await startDesk({ venue: ['--budget', budget, '--live', 'on'], gateway: { DESK_BUDGET: budget } });
  try {
    return await watch(desk, tabs);
  } finally {
    await desk.stop();
  }
}

test('fifty tabs cost the venue what one does, and it never refuses one of them', { timeout: 180_000 }, async () => {
  const [one, fifty] = await Promise.all([watchOn(1), watchOn(TABS)]);
  console.log(`one tab: ${String(one.upstream)} reads; ${String(TABS)} tabs: ${String(fifty.upstream)} reads, statuses ${JSON.stringify([...fifty.statuses])}`);
  expect([...fifty.statuses.keys()]).toEqual([200]);
  expect([...one.statuses.keys()]).toEqual([200]);
  // Between one tab's rounds an answer may be old for up to a round; with fifty, somebody is always there to ask again.
  expect(fifty.upstream).toBeLessThanOrEqual(one.upstream * 1.5);
  expect(fifty.upstream).toBeLessThanOrEqual(200);
});
