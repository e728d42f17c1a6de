import { assert, asyncProperty, constantFrom, array, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  DESK_ITSELF,
  PURPOSES,
  type Budget,
  type Permit,
  type Purpose,
  type RateLimiter,
  type ReadCause,
} from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openMemory, openTestStore, toTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createPermitLog, type PermitLog } from './permit-log.ts';
import { ofOneDesk } from './permits.ts';
import { openSlidingWindow } from './sliding-window.ts';

const forever = new AbortController().signal;

async function open(clock: FakeClock, budget: Budget | null, given?: TestStore): Promise<RateLimiter> {
  const store = given ?? (await openTestStore());
  const window = await openSlidingWindow({
    budget,
    openPermits: ofOneDesk(createPermitLog(store, clock), clock.elapsed),
    elapsed: clock.elapsed,
  });
  return createRateLimiter(window, clock.schedule, clock.elapsed);
}

/** A read for a person, or for the server itself. */
function of(purpose: Purpose, person?: string): ReadCause {
  return { purpose, payers: person === undefined ? DESK_ITSELF : [`person ${person}`] };
}

async function spend(limiter: RateLimiter, purpose: Purpose, count: number): Promise<void> {
  for (let spent = 0; spent < count; spent++) (await limiter.acquire(of(purpose), forever)).settle();
}

/** Tracks a request for a permit: `sent`, `waits`, or the failure’s type. */
function track(acquiring: Promise<Permit>): { state: string } {
  const seen = { state: 'waits' };
  acquiring.then(
    (permit) => {
      seen.state = 'sent';
      permit.settle();
    },
    (error: unknown) => {
      seen.state = error instanceof VenueFailure ? error.problem.type : String(error);
    },
  );
  return seen;
}

test('any purpose may use the budget except the reserve, which is for interactive reads', async () => {
  const limiter = await open(createFakeClock(), { requests: 20, seconds: 300 });
  await spend(limiter, 'history', 17);
  await expect(limiter.acquire(of('history'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent', retryAfterSeconds: 300 },
  });
  await spend(limiter, 'interactive', 3);
  await expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent' },
  });
  expect(limiter.state()).toMatchObject({
    used: 20,
    limit: { requests: 20, reserve: 3 },
    byPurpose: { history: 17, interactive: 3 },
  });
});

test('the problem says whether the budget is spent or only the reserve is left', async () => {
  const limiter = await open(createFakeClock(), { requests: 20, seconds: 300 });
  const rejects = (purpose: Purpose, detail: string) =>
    expect(limiter.acquire(of(purpose), forever)).rejects.toMatchObject({
      problem: { type: 'budget-spent', detail, retryAfterSeconds: 300 },
    });
  await spend(limiter, 'history', 17);
  await rejects(
    'history',
    'The rest of the exchange’s request budget is kept for what you do yourself. The next background request can be sent in 300 s.',
  );
  await spend(limiter, 'interactive', 3);
  for (const purpose of ['history', 'interactive'] as const)
    await rejects(purpose, 'The exchange’s request budget is exhausted. The next request can be sent in 300 s.');
  const paused = await open(createFakeClock(), { requests: 20, seconds: 300 });
  paused.pauseFor(30);
  await expect(paused.acquire(of('history'), forever)).rejects.toMatchObject({
    problem: { detail: 'The exchange’s request budget is exhausted. The next request can be sent in 30 s.' },
  });
});

test('a request counts until a window after its response, not after it was sent', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 10 });
  const permit = await limiter.acquire(of('interactive'), forever);
  await clock.advance(30_000);
  expect(limiter.state().used).toBe(1);
  permit.settle();
  await clock.advance(9_999);
  expect(limiter.state().used).toBe(1);
  await clock.advance(1);
  expect(limiter.state().used).toBe(0);
});

test('the state shows when the next permit and all permits are free again, once their responses have arrived', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 3, seconds: 10 });
  expect(limiter.state()).toMatchObject({ nextFreeMs: null, allFreeMs: null });
  const first = await limiter.acquire(of('interactive'), forever);
  first.settle();
  await clock.advance(4_000);
  const second = await limiter.acquire(of('interactive'), forever);
  expect(limiter.state()).toMatchObject({ nextFreeMs: 6_000, allFreeMs: null });
  second.settle();
  expect(limiter.state()).toMatchObject({ nextFreeMs: 6_000, allFreeMs: 10_000 });
  await clock.advance(6_000);
  expect(limiter.state()).toMatchObject({ used: 1, nextFreeMs: 4_000 });
});

test('waiting reads are served as permits become free, the most urgent first', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 7, seconds: 4 });
  await spend(limiter, 'working', 6);
  const history = track(limiter.acquire(of('history'), forever));
  const working = track(limiter.acquire(of('working'), forever));
  const interactive = track(limiter.acquire(of('interactive'), forever));
  await clock.advance(0);
  expect([interactive.state, working.state, history.state]).toEqual(['sent', 'waits', 'waits']);
  await clock.advance(4_000);
  expect([working.state, history.state]).toEqual(['sent', 'sent']);
  expect(clock.timers()).toBe(0);
});

test('people take turns within a purpose, and a more urgent purpose still goes first', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 1 });
  await spend(limiter, 'interactive', 1);
  const served: string[] = [];
  const wait = (purpose: Purpose, person: string, name: string): void => {
    void limiter.acquire(of(purpose, person), forever).then((permit) => {
      served.push(name);
      permit.settle();
    });
  };
  const serve = async (count: number): Promise<void> => {
    while (served.length < count) await clock.advance(100);
  };
  for (const name of ['a1', 'a2', 'a3']) wait('interactive', 'a', name);
  wait('interactive', 'b', 'b1');
  wait('interactive', 'b', 'b2');
  wait('interactive', 'c', 'c1');
  await serve(3);
  wait('interactive', 'd', 'd1');
  await serve(7);
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3']);
});

test('a read that would wait too long fails at once; a prefetch never waits', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 60 });
  await spend(limiter, 'interactive', 1);
  await clock.advance(20_000);
  await expect(limiter.acquire(of('working'), forever)).rejects.toMatchObject({ problem: { retryAfterSeconds: 40 } });
  await expect(limiter.acquire(of('prefetch'), forever)).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
  expect(clock.timers()).toBe(0);
});

test('an aborted read leaves the queue and no timer behind', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 2 });
  await spend(limiter, 'interactive', 1);
  const leaving = new AbortController();
  const gone = limiter.acquire(of('interactive'), leaving.signal);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  expect(limiter.state().waiting).toBe(0);
  expect(clock.timers()).toBeLessThanOrEqual(1);
  limiter.close();
});

test('after a restart, permits spent before still count, including those in flight', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  const before = await open(clock, { requests: 3, seconds: 100 }, store);
  await spend(before, 'interactive', 1);
  await before.acquire(of('interactive'), forever);
  await clock.advance(50_000);
  const after = await open(clock, { requests: 3, seconds: 100 }, store);
  expect(after.state().used).toBe(2);
  await clock.advance(50_000);
  expect(after.state().used).toBe(1);
});

test('setting the clock ahead frees nothing, and setting it back delays nothing', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 4, seconds: 300 });
  await spend(limiter, 'interactive', 4);
  clock.correct(301_000);
  expect(limiter.state().used).toBe(4);
  clock.correct(-3_600_000);
  await clock.advance(300_000);
  expect(limiter.state().used).toBe(0);
});

test('permits spent before the clock was set back count for one window after a restart, and no longer', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  await spend(await open(clock, { requests: 4, seconds: 300 }, store), 'interactive', 4);
  clock.correct(-3_600_000);
  const after = await open(clock, { requests: 4, seconds: 300 }, store);
  await clock.advance(299_999);
  expect(after.state().used).toBe(4);
  await clock.advance(1);
  expect(after.state().used).toBe(0);
  await clock.advance(0);
  expect(await store.query('select count(*) from spent_permit')).toEqual([[0]]);
});

test('setting the clock ahead before a restart frees nothing', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  await spend(await open(clock, { requests: 4, seconds: 300 }, store), 'interactive', 4);
  await clock.advance(1_000);
  clock.correct(3_600_000);
  const after = await open(clock, { requests: 4, seconds: 300 }, store);
  await clock.advance(298_999);
  expect(after.state().used).toBe(4);
  await clock.advance(1);
  expect(after.state().used).toBe(0);
});

test('after a reboot, permits are free only when both clocks say so', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  await clock.advance(500_000);
  await spend(await open(clock, { requests: 4, seconds: 300 }, store), 'interactive', 4);
  const restarted = createFakeClock(clock.now() + 3_600_000);
  await restarted.advance(20_000);
  const after = await open(restarted, { requests: 4, seconds: 300 }, store);
  await restarted.advance(279_999);
  expect(after.state().used).toBe(4);
  await restarted.advance(1);
  expect(after.state().used).toBe(0);
});

test('a pause lasts its full time, however the clock is set', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, null);
  limiter.pauseFor(30);
  clock.correct(-3_600_000);
  await clock.advance(30_000);
  await expect(limiter.acquire(of('interactive'), forever)).resolves.toBeDefined();
});

test('a later, shorter pause does not shorten the current one', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, null);
  limiter.pauseFor(300);
  limiter.pauseFor(30);
  await clock.advance(31_000);
  await expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent', retryAfterSeconds: 269 },
  });
});

test('a pause stops all reads, interactive ones included', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, null);
  limiter.pauseFor(30);
  await expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent', retryAfterSeconds: 30 },
  });
  await clock.advance(30_000);
  await expect(limiter.acquire(of('interactive'), forever)).resolves.toBeDefined();
});

test('a pause also stops reads that are already in the queue', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 10 });
  await spend(limiter, 'interactive', 1);
  const interactive = track(limiter.acquire(of('interactive'), forever));
  limiter.pauseFor(12);
  await clock.advance(11_999);
  expect(interactive.state).toBe('waits');
  await clock.advance(1);
  expect(interactive.state).toBe('sent');
  expect(clock.timers()).toBe(0);
});

test('a read that times out during a pause reports the time left', async () => {
  const clock = createFakeClock();
  const limiter = await open(clock, { requests: 1, seconds: 10 });
  await spend(limiter, 'interactive', 1);
  const interactive = expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent', retryAfterSeconds: 15 },
  });
  limiter.pauseFor(30);
  await clock.advance(15_000);
  await interactive;
});

test('closing rejects all reads, queued and new, and leaves no timer', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  const limiter = await open(clock, { requests: 2, seconds: 10 }, store);
  const inFlight = await limiter.acquire(of('interactive'), forever);
  await spend(limiter, 'interactive', 1);
  const queued = expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent' },
  });
  limiter.close();
  await queued;
  await expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'budget-spent' },
  });
  inFlight.settle();
  expect(clock.timers()).toBe(0);
});

test('without a writable disk no permit is granted, and spent ones are freed as usual', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  const limiter = await open(clock, { requests: 2, seconds: 10 }, store);
  await spend(limiter, 'interactive', 1);
  const inFlight = await limiter.acquire(of('interactive'), forever);
  const queued = [1, 2].map(() => track(limiter.acquire(of('interactive'), forever)));
  await store.stopWrites();
  inFlight.settle();
  await clock.advance(10_000);
  expect(queued).toEqual([{ state: 'desk-cannot-write' }, { state: 'desk-cannot-write' }]);
  expect(limiter.state()).toMatchObject({ used: 0, waiting: 0 });
  await expect(limiter.acquire(of('interactive'), forever)).rejects.toMatchObject({
    problem: { type: 'desk-cannot-write' },
  });
  await store.allowWrites();
  await expect(limiter.acquire(of('interactive'), forever)).resolves.toBeDefined();
  expect(clock.timers()).toBe(0);
});

test('without a limit all reads are sent at once, are counted for five minutes, and nothing is written to disk', async () => {
  const clock = createFakeClock();
  const store = await openTestStore();
  const limiter = await open(clock, null, store);
  await spend(limiter, 'history', 1_000);
  await clock.advance(200_000);
  await spend(limiter, 'interactive', 1);
  expect(limiter.state()).toMatchObject({
    limit: null,
    used: 1_001,
    waiting: 0,
    byPurpose: { history: 1_000, interactive: 1 },
  });
  await clock.advance(100_000);
  expect(limiter.state()).toMatchObject({ used: 1, byPurpose: { history: 0, interactive: 1 } });
  await clock.advance(0);
  expect(await store.query('select count(*) from spent_permit')).toEqual([[0]]);
});

/** The exchange may count a request at any moment between sending and response. */
function mostInAnyWindow(moments: readonly number[], windowMs: number): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + windowMs).length));
}

/** Delays each write, like a database on another machine. */
function delayed(store: TestStore, clock: FakeClock, milliseconds: number): TestStore {
  return {
    ...store,
    mustWrite: (write) =>
      new Promise((resolve) =>
        clock.schedule(milliseconds, () => {
          resolve(store.mustWrite(write));
        }),
      ),
  };
}

async function openPermitLog(clock: FakeClock, storeMs: number): Promise<PermitLog> {
  const store = await openTestStore();
  const log = createPermitLog(delayed(store, clock, storeMs), clock);
  // There is nothing to load, and the clock does not advance meanwhile.
  return { ...log, load: () => createPermitLog(store, clock).load() };
}

test('the exchange never sees more requests than the budget in any window, however slow the store', async () => {
  const step = record({
    purpose: constantFrom(...PURPOSES),
    afterMs: integer({ min: 0, max: 3_000 }),
    takesMs: integer({ min: 0, max: 4_000 }),
  });
  await assert(
    asyncProperty(
      array(step, { maxLength: 60 }),
      integer({ min: 1, max: 8 }),
      integer({ min: 0, max: 3_000 }),
      async (steps, requests, storeMs) => {
        const clock = createFakeClock();
        const window = await openSlidingWindow({
          budget: { requests, seconds: 10 },
          openPermits: ofOneDesk(await openPermitLog(clock, storeMs), clock.elapsed),
          elapsed: clock.elapsed,
        });
        const limiter = createRateLimiter(window, clock.schedule, clock.elapsed);
        const sent: number[] = [];
        const responded: number[] = [];
        for (const { purpose, afterMs, takesMs } of steps) {
          await clock.advance(afterMs);
          void limiter.acquire(of(purpose), forever).then(
            (permit) => {
              sent.push(clock.now());
              clock.schedule(takesMs, () => {
                responded.push(clock.now());
                permit.settle();
              });
            },
            () => undefined,
          );
          await clock.advance(0);
        }
        await clock.advance(60_000);
        expect(mostInAnyWindow(sent, 10_000)).toBeLessThanOrEqual(requests);
        expect(mostInAnyWindow(responded, 10_000)).toBeLessThanOrEqual(requests);
        expect(limiter.state().waiting).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test('permits in a database of an earlier version still count, and its clicks count as interactive', async () => {
  const clock = createFakeClock();
  const insert = (purpose: string): string =>
    `insert into spent_permit (purpose, settled_at, settled_elapsed) values ('${purpose}', ${String(clock.now())}, ${String(clock.elapsed())})`;
  const table =
    'create table spent_permit (id integer primary key, purpose text not null, settled_at integer, settled_elapsed real)';
  const store = toTestStore(await openMemory([table, ...['click', 'click', 'history'].map(insert)]));
  const limiter = await open(clock, { requests: 20, seconds: 300 }, store);
  expect(limiter.state()).toMatchObject({ used: 3, byPurpose: { interactive: 2, history: 1, prefetch: 0 } });
});
