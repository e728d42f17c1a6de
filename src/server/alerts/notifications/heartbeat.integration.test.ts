import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openReceiver, type Receiver, respondsWith } from '#testing/notifications/receiver.ts';
import { createHeartbeat, findStoppedWork, type Heartbeat } from './heartbeat.ts';

const EVERY_MS = 60_000;
let clock: FakeClock;
let receiver: Receiver;
let heartbeat: Heartbeat;
let [isHeld, stop] = [true, null as string | null];
let logged: string[];

beforeEach(async () => {
  clock = createFakeClock();
  receiver = await openReceiver();
  [isHeld, stop, logged] = [true, null, []];
  heartbeat = createHeartbeat(
    { url: `${receiver.url}?id=very-secret`, everySeconds: EVERY_MS / 1_000 },
    {
      ...clock,
      lease: { isHeld: () => isHeld },
      findStop: () => stop,
      log: (_, event, fields) => void logged.push(JSON.stringify([event, fields])),
    },
  );
  heartbeat.start();
  onTestFinished(async () => {
    await heartbeat.close();
    await receiver.close();
  });
});

/** Passes the time to the next heartbeat, whose request takes real time. */
async function untilNext(expected: Partial<ReturnType<Heartbeat['state']>>): Promise<void> {
  await clock.advance(EVERY_MS);
  await expect.poll(() => heartbeat.state(), { interval: 5 }).toMatchObject(expected);
}

it('is sent while Perpdesk works, and stops when it does not, or another desk leads', async () => {
  const begunAt = clock.now();
  await untilNext({ lastAt: begunAt + EVERY_MS, problem: '' });
  expect(receiver.notifications).toHaveLength(1);
  stop = 'Rules are not being evaluated.';
  await untilNext({ lastAt: begunAt + EVERY_MS, problem: stop });
  [stop, isHeld] = [null, false];
  await untilNext({ lastAt: begunAt + EVERY_MS });
  expect(receiver.notifications).toHaveLength(1);
  isHeld = true;
  await untilNext({ lastAt: begunAt + 4 * EVERY_MS, problem: '' });
  expect(receiver.notifications).toHaveLength(2);
});

it('says why it is not accepted, without the rest of the address, which is a secret', async () => {
  receiver.replies(respondsWith(500));
  await untilNext({ lastAt: null, problem: `127.0.0.1:${String(receiver.port)} responded with 500.` });
  await receiver.close();
  await untilNext({ lastAt: null, problem: 'Nothing is listening at its address (ECONNREFUSED).' });
  expect(logged).toHaveLength(2);
  expect(logged.join()).not.toContain('very-secret');
});

it.each([
  [{ evaluatedAt: null, readAt: 0, journalMs: null }, 'Rules are not being evaluated.'],
  [{ evaluatedAt: 0, readAt: 0, journalMs: null }, null],
  [{ evaluatedAt: -60_001, readAt: 0, journalMs: 30_000 }, 'Rules are not being evaluated.'],
  [{ evaluatedAt: 0, readAt: -120_000, journalMs: 30_000 }, null],
  [{ evaluatedAt: 0, readAt: -120_001, journalMs: 30_000 }, 'Working orders are not being read for the journal.'],
  [{ evaluatedAt: 0, readAt: -1_000_000, journalMs: 3_600_000 }, null],
  [{ evaluatedAt: 0, readAt: null, journalMs: 30_000 }, 'Working orders are not being read for the journal.'],
])('%o: %s', (work, expected) => {
  expect(findStoppedWork(work, 0)).toBe(expected);
});
