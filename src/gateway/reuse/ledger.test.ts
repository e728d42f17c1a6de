import { assert, asyncProperty, constantFrom, array, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { allowWrites, openTestDisk, stopWrites } from '#testing/test-disk.ts';
import { PURPOSES, VenueFailure, type Ledger, type Permit, type Purpose } from '../ports.ts';
import { createLedger } from './ledger.ts';
import { createPermitLog } from './permit-log.ts';
import { createTally, type Budget } from './tally.ts';

const forever = new AbortController().signal;

function open(clock: FakeClock, budget: Budget | null, disk = openTestDisk()): Ledger {
  const tally = createTally(budget, createPermitLog(disk, clock), clock.elapsed);
  return createLedger(tally, clock.schedule, clock.elapsed);
}

async function spend(ledger: Ledger, purpose: Purpose, count: number): Promise<void> {
  for (let spent = 0; spent < count; spent++) (await ledger.take(purpose, forever)).settle();
}

/** What became of taking: `sent`, `waits`, or the failure's type. */
function watch(taking: Promise<Permit>): { state: string } {
  const seen = { state: 'waits' };
  taking.then(
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

test('all but the reserve may be spent on anything, the reserve only on a click', async () => {
  const ledger = open(createFakeClock(), { requests: 20, seconds: 300 });
  await spend(ledger, 'history', 17);
  await expect(ledger.take('history', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 300 } });
  await spend(ledger, 'click', 3);
  await expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
  expect(ledger.state()).toMatchObject({ used: 20, limit: { requests: 20, reserve: 3 }, byPurpose: { history: 17, click: 3 } });
});

test('who is refused while the reserve is left is told so; where all is spent, or the venue says so, that', async () => {
  const ledger = open(createFakeClock(), { requests: 20, seconds: 300 });
  const refused = (purpose: Purpose, detail: string) => expect(ledger.take(purpose, forever)).rejects.toMatchObject({ problem: { type: 'budget-spent', detail, retryAfterSeconds: 300 } });
  await spend(ledger, 'history', 17);
  await refused('history', 'What is left of the venue’s request budget is kept for clicks; the next request of this kind may go out in 300 s.');
  await spend(ledger, 'click', 3);
  for (const purpose of ['history', 'click'] as const) await refused(purpose, 'The venue’s request budget is spent; the next request may go out in 300 s.');
  const held = open(createFakeClock(), { requests: 20, seconds: 300 });
  held.hold(30);
  await expect(held.take('history', forever)).rejects.toMatchObject({ problem: { detail: 'The venue’s request budget is spent; the next request may go out in 30 s.' } });
});

test('a request is counted until the window has passed since its answer, not since it was sent', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 1, seconds: 10 });
  const permit = await ledger.take('click', forever);
  await clock.advance(30_000);
  expect(ledger.state().used).toBe(1);
  permit.settle();
  await clock.advance(9_999);
  expect(ledger.state().used).toBe(1);
  await clock.advance(1);
  expect(ledger.state().used).toBe(0);
});

test('it is told when the next request comes back, and when all are, once their answers are there', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 3, seconds: 10 });
  expect(ledger.state()).toMatchObject({ nextBackMs: null, allBackMs: null });
  const first = await ledger.take('click', forever);
  first.settle();
  await clock.advance(4_000);
  const second = await ledger.take('click', forever);
  expect(ledger.state()).toMatchObject({ nextBackMs: 6_000, allBackMs: null });
  second.settle();
  expect(ledger.state()).toMatchObject({ nextBackMs: 6_000, allBackMs: 10_000 });
  await clock.advance(6_000);
  expect(ledger.state()).toMatchObject({ used: 1, nextBackMs: 4_000 });
});

test('who may wait gets its turn when the window lets go, the most urgent first', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 7, seconds: 4 });
  await spend(ledger, 'working', 6);
  const history = watch(ledger.take('history', forever));
  const working = watch(ledger.take('working', forever));
  const click = watch(ledger.take('click', forever));
  await clock.advance(0);
  expect([click.state, working.state, history.state]).toEqual(['sent', 'waits', 'waits']);
  await clock.advance(4_000);
  expect([working.state, history.state]).toEqual(['sent', 'sent']);
  expect(clock.timers()).toBe(0);
});

test('who would have to wait past its patience is told so at once; what nobody asked for never waits', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 1, seconds: 60 });
  await spend(ledger, 'click', 1);
  await clock.advance(20_000);
  await expect(ledger.take('working', forever)).rejects.toMatchObject({ problem: { retryAfterSeconds: 40 } });
  await expect(ledger.take('prefetch', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
  expect(clock.timers()).toBe(0);
});

test('who leaves the line frees its place and leaves no timer behind', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 1, seconds: 2 });
  await spend(ledger, 'click', 1);
  const leaving = new AbortController();
  const gone = ledger.take('click', leaving.signal);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  expect(ledger.state().waiting).toBe(0);
  expect(clock.timers()).toBeLessThanOrEqual(1);
  ledger.close();
});

test('after a restart, what was spent before still counts, what was out included', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  const before = open(clock, { requests: 3, seconds: 100 }, disk);
  await spend(before, 'click', 1);
  await before.take('click', forever);
  await clock.advance(50_000);
  const after = open(clock, { requests: 3, seconds: 100 }, disk);
  expect(after.state().used).toBe(2);
  await clock.advance(50_000);
  expect(after.state().used).toBe(1);
});

test('a clock that is set ahead frees nothing, and one that is set back keeps nothing for longer', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 4, seconds: 300 });
  await spend(ledger, 'click', 4);
  clock.correct(301_000);
  expect(ledger.state().used).toBe(4);
  clock.correct(-3_600_000);
  await clock.advance(300_000);
  expect(ledger.state().used).toBe(0);
});

test('what was spent by a clock that has been set back since counts for one window after a restart, and no longer', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  await spend(open(clock, { requests: 4, seconds: 300 }, disk), 'click', 4);
  clock.correct(-3_600_000);
  const after = open(clock, { requests: 4, seconds: 300 }, disk);
  await clock.advance(299_999);
  expect(after.state().used).toBe(4);
  await clock.advance(1);
  expect(after.state().used).toBe(0);
  expect(disk.database.prepare('select count(*) as permits from spent_permit').get()).toEqual({ permits: 0 });
});

test('a clock that has been set ahead since frees nothing after a restart', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  await spend(open(clock, { requests: 4, seconds: 300 }, disk), 'click', 4);
  await clock.advance(1_000);
  clock.correct(3_600_000);
  const after = open(clock, { requests: 4, seconds: 300 }, disk);
  await clock.advance(298_999);
  expect(after.state().used).toBe(4);
  await clock.advance(1);
  expect(after.state().used).toBe(0);
});

test('after the machine was started anew, nothing comes back sooner than by both clocks', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  await clock.advance(500_000);
  await spend(open(clock, { requests: 4, seconds: 300 }, disk), 'click', 4);
  const restarted = createFakeClock(clock.now() + 3_600_000);
  await restarted.advance(20_000);
  const after = open(restarted, { requests: 4, seconds: 300 }, disk);
  await restarted.advance(279_999);
  expect(after.state().used).toBe(4);
  await restarted.advance(1);
  expect(after.state().used).toBe(0);
});

test('a hold lasts as long as it was said, however the clock is set', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, null);
  ledger.hold(30);
  clock.correct(-3_600_000);
  await clock.advance(30_000);
  await expect(ledger.take('click', forever)).resolves.toBeDefined();
});

test('a shorter hold that is heard of later does not shorten the one there is', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, null);
  ledger.hold(300);
  ledger.hold(30);
  await clock.advance(31_000);
  await expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 269 } });
});

test('a hold stops everything, clicks included, for as long as it lasts', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, null);
  ledger.hold(30);
  await expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 30 } });
  await clock.advance(30_000);
  await expect(ledger.take('click', forever)).resolves.toBeDefined();
});

test('a hold stops those who are in line already', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 1, seconds: 10 });
  await spend(ledger, 'click', 1);
  const click = watch(ledger.take('click', forever));
  ledger.hold(12);
  await clock.advance(11_999);
  expect(click.state).toBe('waits');
  await clock.advance(1);
  expect(click.state).toBe('sent');
  expect(clock.timers()).toBe(0);
});

test('who loses patience in line during a hold is told how long that still lasts', async () => {
  const clock = createFakeClock();
  const ledger = open(clock, { requests: 1, seconds: 10 });
  await spend(ledger, 'click', 1);
  const click = expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent', retryAfterSeconds: 15 } });
  ledger.hold(30);
  await clock.advance(15_000);
  await click;
});

test('closed, it lets nobody wait: neither those in line nor who comes later, and nothing is scheduled', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  const ledger = open(clock, { requests: 2, seconds: 10 }, disk);
  const out = await ledger.take('click', forever);
  await spend(ledger, 'click', 1);
  const inLine = expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
  ledger.close();
  await inLine;
  await expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'budget-spent' } });
  out.settle();
  expect(clock.timers()).toBe(0);
});

test('where nothing can be written, nothing is spent, and what was spent comes back as ever', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  const ledger = open(clock, { requests: 2, seconds: 10 }, disk);
  await spend(ledger, 'click', 1);
  const out = await ledger.take('click', forever);
  const inLine = [1, 2].map(() => watch(ledger.take('click', forever)));
  stopWrites(disk);
  out.settle();
  await clock.advance(10_000);
  expect(inLine).toEqual([{ state: 'desk-cannot-write' }, { state: 'desk-cannot-write' }]);
  expect(ledger.state()).toMatchObject({ used: 0, waiting: 0 });
  await expect(ledger.take('click', forever)).rejects.toMatchObject({ problem: { type: 'desk-cannot-write' } });
  allowWrites(disk);
  await expect(ledger.take('click', forever)).resolves.toBeDefined();
  expect(clock.timers()).toBe(0);
});

test('without a limit all is sent at once and counted for as long as it is shown, and nothing goes to the disk', async () => {
  const clock = createFakeClock();
  const disk = openTestDisk();
  const ledger = open(clock, null, disk);
  await spend(ledger, 'history', 1_000);
  await clock.advance(200_000);
  await spend(ledger, 'click', 1);
  expect(ledger.state()).toMatchObject({ limit: null, used: 1_001, waiting: 0, byPurpose: { history: 1_000, click: 1 } });
  await clock.advance(100_000);
  expect(ledger.state()).toMatchObject({ used: 1, byPurpose: { history: 0, click: 1 } });
  expect(disk.database.prepare('select count(*) as permits from spent_permit').get()).toEqual({ permits: 0 });
});

/** As the venue may count: each request at the earliest or the latest moment at which it may have arrived. */
function mostInAnyWindow(moments: readonly number[], windowMs: number): number {
  return Math.max(0, ...moments.map((from) => moments.filter((at) => at >= from && at < from + windowMs).length));
}

test('however it is asked, the venue never sees more than the budget in any window', async () => {
  const step = record({ purpose: constantFrom(...PURPOSES), afterMs: integer({ min: 0, max: 3_000 }), takesMs: integer({ min: 0, max: 4_000 }) });
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), integer({ min: 1, max: 8 }), async (steps, requests) => {
      const clock = createFakeClock();
      const ledger = open(clock, { requests, seconds: 10 });
      const sent: number[] = [];
      const answered: number[] = [];
      for (const { purpose, afterMs, takesMs } of steps) {
        await clock.advance(afterMs);
        void ledger.take(purpose, forever).then(
          (permit) => {
            sent.push(clock.now());
            clock.schedule(takesMs, () => {
              answered.push(clock.now());
              permit.settle();
            });
          },
          () => undefined,
        );
        await clock.advance(0);
      }
      await clock.advance(60_000);
      expect(mostInAnyWindow(sent, 10_000)).toBeLessThanOrEqual(requests);
      expect(mostInAnyWindow(answered, 10_000)).toBeLessThanOrEqual(requests);
      expect(ledger.state().waiting).toBe(0);
    }),
    { numRuns: 60 },
  );
});
