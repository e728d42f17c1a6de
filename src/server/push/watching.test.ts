import { beforeEach, expect, test, vi } from 'vitest';
import type { Payer } from '#server/core/ports.ts';
import type { WatchedReading, Watcher } from '#server/core/topics.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { createHub, type Hub } from './hub.ts';
import type { TopicResponse } from './feed.ts';
import { toTopicRequest } from './topic-request.ts';

const SECOND_MS = 1_000;
const orders = toTopicRequest('working-orders');
let clock: FakeClock;
let hub: Hub;
let reads: { readonly isFirst: boolean; readonly isFollowed: boolean; readonly payers: readonly Payer[] }[];
let used: number;
let retryAfter: number;
let answer: (payers: readonly Payer[]) => Promise<TopicResponse>;

beforeEach(() => {
  clock = createFakeClock();
  reads = [];
  used = 0;
  retryAfter = 0;
  answer = () => Promise.resolve({ text: '[]', cost: 1, sent: 1 });
  hub = createHub({
    ...clock,
    read: (_, { isFirst, isFollowed, payers }) => {
      reads.push({ isFirst, isFollowed, payers });
      return answer(payers);
    },
    toProblem: () => ({ type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd', retryAfter }),
    aliasOf: (kind) => kind,
    rateLimiter: { shareOf: () => ({ requests: 170, seconds: 300, used }) },
    venueNow: clock.now,
  });
});

/** During a reading, nothing is scheduled. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) {
    await vi.waitUntil(() => clock.timers() > 0);
    await clock.advance(SECOND_MS);
  }
  await vi.waitUntil(() => clock.timers() > 0);
}

const watcher: Watcher = { everySeconds: 30, payer: 'journal', onReading: () => undefined };
const planned = () => hub.plan()[0];

test('what the desk needs itself is read while no stream follows it, as seldom as it needs it, and as unimportant as can be', async () => {
  hub.watch(orders, watcher);
  await pass(1);
  await pass(120);
  expect(reads).toHaveLength(5);
  expect(reads.every(({ isFollowed }) => !isFollowed)).toBe(true);
  expect(planned()).toMatchObject({ followers: 0, watchedEvery: 30, everySeconds: 30 });
});

test('a stream has it read as often as for any stream, and when it is gone, it is read as before', async () => {
  hub.watch(orders, watcher);
  await pass(1);
  const follower = { payers: () => ['person ann'] as const, onChange: () => undefined };
  hub.follow(orders, follower);
  await pass(60);
  expect(planned()).toMatchObject({ followers: 1, everySeconds: 5 });
  expect(reads.length).toBeGreaterThanOrEqual(12);
  expect(reads.at(-1)?.isFollowed).toBe(true);
  hub.unfollow(orders, follower);
  const before = reads.length;
  await pass(600);
  expect(planned()).toMatchObject({ followers: 0, everySeconds: 30 });
  expect(reads.length - before).toBeLessThanOrEqual(21);
  expect(reads.length - before).toBeGreaterThanOrEqual(19);
});

test('it takes its part of the budget, and no more', async () => {
  used = 169;
  hub.watch(orders, watcher);
  await pass(1);
  await pass(5);
  expect(planned()?.everySeconds).toBeGreaterThan(30);
});

test('each who watches gets what was read last, then what is read or why not, and the most demanding decides how often, until it watches no more', async () => {
  const given: WatchedReading[] = [];
  hub.watch(orders, watcher);
  const stop = hub.watch(orders, {
    everySeconds: 10,
    payer: 'person ann',
    onReading: (reading) => void given.push(reading),
  });
  await pass(1);
  expect(planned()).toMatchObject({ watchedEvery: 10, everySeconds: 10 });
  expect(given).toEqual([{ text: '[]', respondedAt: expect.any(Number) as number, problem: null, everySeconds: 10 }]);
  answer = () => Promise.reject(new Error('no'));
  await pass(20);
  expect(given.at(-1)).toMatchObject({ problem: { detail: 'c' } });
  const late: WatchedReading[] = [];
  hub.watch(orders, { everySeconds: 60, payer: 'person bob', onReading: (reading) => void late.push(reading) })();
  expect(late).toMatchObject([{ text: '[]', problem: null }]);
  stop();
  const before = given.length;
  await pass(60);
  expect(given).toHaveLength(before);
  expect(planned()).toMatchObject({ watchedEvery: 30, everySeconds: 30 });
});

test('all who follow a topic pay for each reading, and those it is watched for as often as they need it', async () => {
  hub.watch(orders, watcher);
  hub.watch(orders, { ...watcher, payer: 'person cyd' });
  hub.follow(orders, { payers: () => ['person ann'], onChange: () => undefined });
  hub.follow(orders, { payers: () => ['person bob', 'person ann'], onChange: () => undefined });
  await pass(60);
  const paidBy = (payer: Payer): number => reads.filter(({ payers }) => payers.includes(payer)).length;
  expect([paidBy('person ann'), paidBy('person bob')]).toEqual([reads.length, reads.length]);
  expect(reads.length).toBeGreaterThanOrEqual(12);
  for (const payer of ['journal', 'person cyd'] as const) expect([2, 3]).toContain(paidBy(payer));
});

test('what those who follow it may not read any more is still read for the journal, as often as it needs it', async () => {
  retryAfter = 290;
  answer = (payers) =>
    payers.includes('journal')
      ? Promise.resolve({ text: '[]', cost: 1, sent: 1 })
      : Promise.reject(new Error('your share is used up'));
  const given: WatchedReading[] = [];
  hub.watch(orders, { ...watcher, onReading: (reading) => void given.push(reading) });
  hub.follow(orders, { payers: () => ['person ann'], onChange: () => undefined });
  await pass(150);
  expect(given.filter(({ problem }) => problem === null).length).toBeGreaterThanOrEqual(5);
});
