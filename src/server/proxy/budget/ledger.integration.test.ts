import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { toPayer, type Budget, type Purpose, type RateLimiter } from '#server/core/ports.ts';
import { openStore } from '#server/store/open-store.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { ofAllDesks } from './ledger.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { openSlidingWindow } from './sliding-window.ts';

const BUDGET: Budget = { requests: 20, seconds: 1 };
/** With what a permit counts for longer than a window. */
const WINDOW_MS = 3_000;
const RUNS_MS = 7_000;
const PURPOSES: readonly Purpose[] = ['interactive', 'working', 'history'];

const ports = {
  now: Date.now,
  elapsed: () => performance.now(),
  log: () => undefined,
  report: () => undefined,
};

async function openDesk(databaseUrl: string): Promise<RateLimiter> {
  const store = await openStore({ dataDir: '', databaseUrl }, ports);
  const window = await openSlidingWindow({
    budget: BUDGET,
    openPermits: ofAllDesks({ ...ports, desk: randomUUID(), store }),
    ...ports,
  });
  const schedule = (milliseconds: number, call: () => void): (() => void) => {
    const timer = setTimeout(call, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  };
  const limiter = createRateLimiter(window, schedule, ports.elapsed);
  onTestFinished(async () => {
    limiter.close();
    await store.close();
  });
  return limiter;
}

test('three desks that read as fast as they can never exceed the budget together, and use it', async () => {
  const databaseUrl = await createDatabase();
  const desks = await Promise.all([1, 2, 3].map(() => openDesk(databaseUrl)));
  const until = performance.now() + RUNS_MS;
  const sent: number[] = [];
  const readOn = async (desk: RateLimiter, person: string): Promise<void> => {
    for (let count = 0; performance.now() < until; count++) {
      const purpose = PURPOSES[count % PURPOSES.length] ?? 'history';
      const cause = { purpose, payers: [toPayer(person)] } as const;
      const permit = await desk.acquire(cause, new AbortController().signal).catch(() => null);
      if (permit === null) {
        await pause(20);
        continue;
      }
      permit.begin();
      sent.push(performance.now());
      await pause(10 * (count % 5));
      permit.settle();
    }
  };
  await Promise.all(
    desks.flatMap((desk) => Array.from({ length: 8 }, (_, person) => readOn(desk, `person ${String(person)}`))),
  );
  const inWindows = sent.map((from) => sent.filter((at) => at >= from && at < from + WINDOW_MS).length);
  expect(Math.max(...inWindows)).toBeLessThanOrEqual(BUDGET.requests);
  expect(sent.length).toBeGreaterThan(2 * BUDGET.requests);
});
