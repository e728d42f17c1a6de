import { beforeEach, expect, test, vi } from 'vitest';
import type { Payer } from '#server/core/ports.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { createHub, type Hub } from './hub.ts';
import type { TopicResponse } from './feed.ts';
import { parseFollows, type TopicRequest } from './topic-request.ts';

const SECOND_MS = 1_000;
const ANN: Payer = 'person ann';
let clock: FakeClock;
let hub: Hub;
let reads: string[];
let read: (address: string) => Promise<TopicResponse>;
let used: number;
let sent: number;

beforeEach(() => {
  clock = createFakeClock();
  reads = [];
  used = 0;
  sent = 0;
  read = () => Promise.resolve({ text: '[]', cost: 1, sent: 1 });
  hub = createHub({
    ...clock,
    read: ({ address }) => {
      reads.push(address);
      return read(address);
    },
    toProblem: () => ({ type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd', retryAfter: 60 }),
    aliasOf,
    rateLimiter: { shareOf: (payer) => ({ requests: 170, seconds: 300, used: payer === ANN ? used : 0 }) },
    venueNow: clock.now,
  });
});

/** Reveals nothing, like a keyed hash. */
const aliasOf = (kind: string, code: string): string => `${kind}-${String(code.length)}`;

function topic(address: string): TopicRequest {
  const [request] = parseFollows(`topic=${encodeURIComponent(address)}`) as readonly TopicRequest[];
  if (request === undefined) throw new Error('no topic');
  return request;
}

/** Compressing a reading takes real time, in which the fake clock stands still. */
async function pass(seconds: number): Promise<void> {
  await clock.advance(0);
  for (let passed = 0; passed <= seconds; passed++) {
    await vi.waitUntil(() => sent === reads.length);
    if (passed < seconds) await clock.advance(SECOND_MS);
  }
}

/** The first follower of each topic counts its readings. */
const counter = { payers: () => [ANN], onChange: () => void (sent += 1) };
const follower = () => {
  const self = { changes: 0, payers: () => [ANN], onChange: () => void (self.changes += 1) };
  return self;
};
const [orders, stats] = [topic('working-orders'), topic('trailing-stats')];
const planned = (address: string) => hub.plan().find((each) => each.address === address);

test('a topic is read at once, and then as often as its table says, once for all', async () => {
  const followers = Array.from({ length: 1_000 }, follower);
  for (const each of [counter, ...followers]) hub.follow(orders, each);
  await pass(0);
  expect(reads).toHaveLength(1);
  await pass(60);
  expect(reads).toHaveLength(13);
  expect(followers.every(({ changes }) => changes === 13)).toBe(true);
});

test('what a reading costs is unknown before the first one', async () => {
  read = () => Promise.resolve({ text: '[]', cost: 3, sent: 3 });
  hub.follow(orders, counter);
  expect(planned('working-orders')).toMatchObject({ cost: null, readAt: null });
  await pass(0);
  expect(planned('working-orders')?.cost).toBe(3);
});

test('one reading begins as long after the end of another as a page would wait that polls: what is cached counts as old as it is', async () => {
  let finish = (): void => undefined;
  let provenance: TopicResponse['provenance'];
  read = () =>
    new Promise((resolve) => {
      finish = () => {
        resolve({ text: '[]', cost: 1, sent: 1, provenance });
      };
    });
  const readOnce = async (tookMs: number, ageMs: number): Promise<void> => {
    await clock.advance(tookMs);
    provenance = { outcome: 'miss', freshSeconds: 4, staleBecause: null, respondedAt: clock.now() - ageMs };
    finish();
    await vi.waitUntil(() => sent === reads.length);
  };
  hub.follow(orders, counter);
  await clock.advance(0);
  await readOnce(600, 400);
  await clock.advance(4_999);
  expect(reads).toHaveLength(1);
  await clock.advance(1);
  expect(reads).toHaveLength(2);
  await readOnce(1, 3_000);
  await clock.advance(1_999);
  expect(reads).toHaveLength(2);
  await clock.advance(1);
  expect(reads).toHaveLength(3);
});

test('what has changed is read at once, but not more often than once a second, and only where somebody follows it', async () => {
  const alerts = topic('alerts');
  hub.noteChange('alerts');
  hub.follow(alerts, counter);
  await pass(0);
  expect(reads).toEqual(['alerts']);
  for (let times = 0; times < 5; times++) hub.noteChange('alerts');
  await pass(1);
  expect(reads).toHaveLength(2);
  hub.noteChange('product');
  await pass(5);
  expect(reads).toHaveLength(2);
  hub.unfollow(alerts, counter);
  hub.noteChange('alerts');
  await clock.advance(20_000);
  expect(reads).toHaveLength(2);
});

test('what changes while it is read is read again', async () => {
  const finish: (() => void)[] = [];
  read = () =>
    new Promise((resolve) => {
      finish.push(() => {
        resolve({ text: '{}', cost: 0, sent: 0 });
      });
    });
  hub.follow(topic('alerts'), counter);
  await clock.advance(0);
  hub.noteChange('alerts');
  finish.shift()?.();
  await vi.waitUntil(() => sent === 1);
  await clock.advance(1_000);
  expect(reads).toHaveLength(2);
});

test('what a cache serves is no part of what topics have spent of the budget', async () => {
  read = () => Promise.resolve({ text: '[]', cost: 1, sent: 0 });
  hub.follow(orders, counter);
  hub.follow(stats, counter);
  used = 169;
  await pass(60);
  expect(planned('working-orders')?.everySeconds).toBeGreaterThan(300);
});

test('nobody following, nothing is read; who comes back soon finds the old state', async () => {
  const feed = hub.follow(orders, counter);
  await pass(0);
  hub.unfollow(orders, counter);
  await pass(60);
  expect(reads).toHaveLength(1);
  expect(hub.follow(orders, counter)).toBe(feed);
  await pass(0);
  expect(reads).toHaveLength(2);
  hub.unfollow(orders, counter);
  await clock.advance(600 * SECOND_MS);
  expect(hub.plan()).toEqual([]);
});

test('a budget that others use up stretches the cadence, and it shrinks again', async () => {
  hub.follow(orders, counter);
  hub.follow(stats, counter);
  await pass(0);
  used = 162;
  await pass(30);
  expect(planned('trailing-stats')?.everySeconds).toBeGreaterThan(20);
  const before = reads.length;
  await pass(300);
  expect(reads.length - before).toBeLessThanOrEqual(170 - 150);
  used = 0;
  await pass(300);
  expect([planned('working-orders')?.everySeconds, planned('trailing-stats')?.everySeconds]).toEqual([5, 20]);
});

test('a failed reading is repeated when its problem says', async () => {
  read = () => Promise.reject(new Error('refused'));
  hub.follow(orders, counter);
  await pass(59);
  expect(reads).toHaveLength(1);
  await pass(1);
  expect(reads).toHaveLength(2);
});

test('a reading that takes longer than the cadence is not begun twice', async () => {
  let finish = (): void => undefined;
  read = () =>
    new Promise((resolve) => {
      finish = () => {
        resolve({ text: '[]', cost: 1, sent: 1 });
      };
    });
  hub.follow(orders, counter);
  await clock.advance(30 * SECOND_MS);
  hub.follow(orders, follower());
  await clock.advance(30 * SECOND_MS);
  expect(reads).toHaveLength(1);
  finish();
  await vi.waitUntil(() => sent === 1);
  await clock.advance(5 * SECOND_MS);
  expect(reads).toHaveLength(2);
});

test('who comes back during a reading, however long that takes, finds the same feed', async () => {
  read = () => new Promise(() => undefined);
  const feed = hub.follow(orders, counter);
  await clock.advance(SECOND_MS);
  hub.unfollow(orders, counter);
  hub.follow(orders, counter);
  await clock.advance(200 * SECOND_MS);
  expect(hub.follow(orders, follower())).toBe(feed);
  expect(reads).toHaveLength(1);
});

test('there is room for so many topics; those that nobody follows make room', () => {
  const topics = Array.from({ length: 513 }, (_, index) => topic(`working-orders?account_id=A${String(index)}`));
  const [first, ...others] = topics as [TopicRequest, ...TopicRequest[]];
  expect([hub.hasSpaceFor(others), hub.hasSpaceFor(topics)]).toEqual([true, false]);
  for (const each of others) hub.follow(each, counter);
  expect([hub.hasSpaceFor(others), hub.hasSpaceFor([first])]).toEqual([true, false]);
  for (const each of others) hub.unfollow(each, counter);
  expect([hub.hasSpaceFor([first]), hub.plan()]).toEqual([true, []]);
});

test('a reading that its end cuts short is no failure', async () => {
  let failures = 0;
  const stopping = createHub({
    ...clock,
    read: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      }),
    toProblem: () => {
      failures += 1;
      return { type: 'a', title: 'b', status: 500, detail: 'c', instance: 'd' };
    },
    aliasOf,
    rateLimiter: { shareOf: () => null },
    venueNow: clock.now,
  });
  stopping.follow(orders, follower());
  await clock.advance(SECOND_MS);
  stopping.close();
  await clock.advance(SECOND_MS);
  expect(failures).toBe(0);
});

test('the plan, which anyone may read and a browser may store, names no owner, and no two topics alike', () => {
  const filters = [
    'account_id=NORD-105&product_id=7',
    'account_id=NORD-105&product_id=8',
    'clearing_member_code=NORD',
    'connection_id=1F',
  ];
  for (const filter of filters) hub.follow(topic(`working-orders?${filter}`), counter);
  expect(hub.plan().map(({ address }) => address)).toEqual([
    'working-orders?product_id=7&account_id=account-8',
    'working-orders?product_id=8&account_id=account-8',
    'working-orders?clearing_member_code=firm-4',
    'working-orders?connection_id=connection-2',
  ]);
});

test('the plan of one person has what they follow, and their own streams alone', () => {
  const of = (payer: Payer) => ({ payers: () => [payer], onChange: () => undefined });
  hub.follow(topic('volume'), of('person ann'));
  hub.follow(topic('volume'), of('person bob'));
  hub.follow(topic('volume'), of('person bob'));
  hub.follow(topic('rates'), of('person ann'));
  const planOf = (payer: Payer | null) => hub.plan(payer).map(({ address, followers }) => [address, followers]);
  expect([planOf(null), planOf('person bob'), planOf('person cas')]).toEqual([
    [
      ['volume', 3],
      ['rates', 1],
    ],
    [['volume', 2]],
    [],
  ]);
});

test('closed, it reads no more', async () => {
  hub.follow(orders, counter);
  await pass(0);
  hub.close();
  await pass(60);
  expect(reads).toHaveLength(1);
});

test('closed, it keeps no timer for the topics of streams that end later', async () => {
  hub.follow(orders, counter);
  await pass(0);
  hub.close();
  hub.unfollow(orders, counter);
  expect(clock.timers()).toBe(0);
});
