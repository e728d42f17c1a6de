import { readFileSync } from 'node:fs';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  ANYBODY,
  DESK_ITSELF,
  PURPOSES,
  type Budget,
  type Payer,
  type Payers,
  type Purpose,
  type RateLimiter,
} from '#server/core/ports.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore } from '#testing/server-store/test-store.ts';
import { createPermitLog } from './permit-log.ts';
import { ofOneDesk } from './permits.ts';
import { createRateLimiter, MAX_WAIT_MS } from './rate-limiter.ts';
import { SHARES } from './shares.ts';
import { openSlidingWindow } from './sliding-window.ts';

const forever = new AbortController().signal;
const BUDGET: Budget = { requests: 200, seconds: 300 };
const WINDOW_MS = 300_000;

async function open(clock: FakeClock, keepsJournal = false, budget = BUDGET): Promise<RateLimiter> {
  const window = await openSlidingWindow({
    budget,
    // So seldom that its least share is enough.
    journalSeconds: keepsJournal ? 3_600 : null,
    openPermits: ofOneDesk(createPermitLog(await openTestStore(), clock), clock.elapsed),
    elapsed: clock.elapsed,
  });
  return createRateLimiter(window, clock.schedule, clock.elapsed);
}

const person = (name: string): Payers => [`person ${name}`];

/** Counts how many of `count` reads are sent without waiting. */
async function take(limiter: RateLimiter, purpose: Purpose, payers: Payers, count: number): Promise<number> {
  let sent = 0;
  for (let tried = 0; tried < count; tried++) {
    const leaving = new AbortController();
    const permit = await Promise.race([
      limiter.acquire({ purpose, payers }, leaving.signal).catch(() => null),
      later(),
    ]);
    leaving.abort();
    permit?.settle();
    sent += permit === null ? 0 : 1;
  }
  return sent;
}

/** Resolves after all work that takes no time. */
const later = (): Promise<null> =>
  new Promise((resolve) => {
    setImmediate(() => {
      setImmediate(resolve, null);
    });
  });

test('one who is alone may use half of the budget and half of the reserve, and nine who come then find what they need', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, true);
  expect(await take(limiter, 'history', person('hostile'), 300)).toBe(100);
  expect(await take(limiter, 'interactive', person('hostile'), 300)).toBe(15);
  await expect(limiter.acquire({ purpose: 'interactive', payers: person('hostile') }, forever)).rejects.toMatchObject({
    problem: {
      type: 'budget-spent',
      detail:
        'Your share of the exchange’s request budget is exhausted: the rest is left for others. Your next request can be sent in 300 s.',
    },
  });
  const others = [];
  for (let each = 0; each < 9; each++) others.push(await take(limiter, 'history', person(String(each)), 5));
  expect(others).toEqual(Array.from({ length: 9 }, () => 5));
});

test('as soon as somebody else is there, nobody uses more than they leave, and no header lifts anybody over that but to half of the reserve', async () => {
  const limiter = await open(createFakeClock());
  await take(limiter, 'history', person('ann'), 1);
  expect(await take(limiter, 'interactive', person('hostile'), 300)).toBe(85 + 15);
  expect(await take(limiter, 'history', person('ann'), 100)).toBe(42);
});

test('who comes while one floods gains an equal part as the window slides, and the other gets no more until within theirs', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock);
  expect(await take(limiter, 'history', person('hostile'), 300)).toBe(100);
  await clock.advance(1_000);
  expect(await take(limiter, 'history', person('ann'), 300)).toBe(35);
  expect(await take(limiter, 'history', person('hostile'), 300)).toBe(0);
  await clock.advance(WINDOW_MS - 1_000);
  expect(await take(limiter, 'history', person('ann'), 300)).toBeGreaterThanOrEqual(60 - 35);
  expect(await take(limiter, 'history', person('hostile'), 300)).toBeGreaterThanOrEqual(42);
});

test('several who have something read share its cost, and one whose share is used up is left out', async () => {
  const limiter = await open(createFakeClock());
  const together: Payers = ['person ann', 'person bob', 'person cyd'];
  expect(await take(limiter, 'history', together, 30)).toBe(30);
  for (const name of ['ann', 'bob', 'cyd']) expect(limiter.shareOf(`person ${name}`)?.used).toBeCloseTo(10);
  await take(limiter, 'history', person('ann'), 300);
  const used = limiter.shareOf('person ann')?.used;
  expect(await take(limiter, 'history', together, 2)).toBe(2);
  expect(limiter.shareOf('person ann')?.used).toBe(used);
  expect(limiter.shareOf('person bob')?.used).toBeCloseTo(11);
});

test('nothing is read ahead of need while less than half of the budget is free', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock);
  expect(await take(limiter, 'prefetch', DESK_ITSELF, 300)).toBe(101);
  expect(await take(limiter, 'history', person('ann'), 5)).toBe(5);
  await expect(
    limiter.acquire({ purpose: 'prefetch', payers: DESK_ITSELF }, new AbortController().signal),
  ).rejects.toThrow('kept for what you do yourself');
  await clock.advance(WINDOW_MS);
  expect(await take(limiter, 'prefetch', DESK_ITSELF, 1)).toBe(1);
});

test('the share of the journal is kept for it, and it uses more only while nobody is there', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, true);
  expect(await take(limiter, 'history', ['journal'], 300)).toBe(120);
  await clock.advance(WINDOW_MS);
  expect(await take(limiter, 'interactive', person('hostile'), 300)).toBe(115);
  expect(await take(limiter, 'interactive', DESK_ITSELF, 300)).toBe(200 - 115 - 20);
  expect(await take(limiter, 'history', ['journal'], 300)).toBe(20);
  expect(limiter.state().used).toBe(200);
});

const step = record({
  who: integer({ min: 0, max: 3 }),
  purpose: constantFrom(...PURPOSES),
  count: integer({ min: 1, max: 80 }),
  afterMs: integer({ min: 0, max: 60_000 }),
  isJournal: integer({ min: 0, max: 5 }),
});

test('whoever comes while up to four others flood is served within the wait of their purpose, the journal as well, and nobody exceeds the budget', async () => {
  await assert(
    asyncProperty(
      array(step, { minLength: 1, maxLength: 15 }),
      constantFrom<Purpose>('interactive', 'working', 'trailing', 'history'),
      async (steps, purpose) => {
        const clock = createFakeClock();
        const limiter = await open(clock, true);
        const sent: number[] = [];
        const ask = (payers: Payers, wanted: Purpose) =>
          limiter.acquire({ purpose: wanted, payers }, forever).then(
            (permit) => {
              sent.push(clock.now());
              permit.settle();
              return true;
            },
            () => false,
          );
        for (const each of steps) {
          const payer: Payer = each.who === 0 ? ANYBODY : `person ${String(each.who)}`;
          for (let count = 0; count < each.count; count++) void ask([payer], each.purpose);
          await clock.advance(each.afterMs);
          if (each.isJournal === 0) void ask(['journal'], 'history');
        }
        const isServed = ask(person('guest'), purpose);
        await clock.advance(MAX_WAIT_MS[purpose]);
        const isRead = ask(['journal'], 'history');
        await clock.advance(0);
        expect(await Promise.all([isServed, isRead])).toEqual([true, true]);
        for (const from of sent)
          expect(sent.filter((at) => at >= from && at < from + WINDOW_MS).length).toBeLessThanOrEqual(BUDGET.requests);
        limiter.close();
      },
    ),
    { numRuns: 60 },
  );
});

test('the numbers in docs/reach.md are those of the code', () => {
  const rows = new Map(
    Array.from(
      readFileSync('docs/reach.md', 'utf8').matchAll(/^\| (.+?) \| (.+) \|$/gm),
      ([, first = '', others = '']) => [first, others.split(' | ')],
    ),
  );
  const percent = (part: number): string => `${String(Math.round(part * 100))} %`;
  expect(['Reserve', 'Journal', 'People', 'One person'].map((name) => rows.get(name)?.[0])).toEqual(
    [SHARES.reserve, SHARES.journal, SHARES.people, SHARES.person].map(percent),
  );
  expect(PURPOSES.map((purpose) => rows.get(`\`${purpose}\``)?.[2])).toEqual(
    PURPOSES.map((purpose) => (MAX_WAIT_MS[purpose] === 0 ? 'none' : `${String(MAX_WAIT_MS[purpose] / 1_000)} s`)),
  );
});
