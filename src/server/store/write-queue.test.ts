import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createWriteQueue } from './store.ts';

function failAfter(clock: ReturnType<typeof createFakeClock>, milliseconds: number): () => Promise<never> {
  return () =>
    new Promise((_, reject) => {
      clock.schedule(milliseconds, () => {
        reject(new Error(`failed after ${String(milliseconds)} ms`));
      });
    });
}

test('work runs one after another, and a failure does not stop what follows', async () => {
  const clock = createFakeClock();
  const inOrder = createWriteQueue(clock.elapsed);
  const log: string[] = [];
  const failing = expect(inOrder(failAfter(clock, 1_000))).rejects.toThrow('failed after 1000 ms');
  const next = inOrder(() => Promise.resolve(log.push('next')));
  await clock.advance(0);
  await clock.advance(999);
  expect(log).toEqual([]);
  await clock.advance(1);
  await failing;
  await next;
  expect(log).toEqual(['next']);
});

test('what waits for a database that does not respond fails with it; what comes later is tried', async () => {
  const clock = createFakeClock();
  const inOrder = createWriteQueue(clock.elapsed);
  const tried: string[] = [];
  const results = [
    inOrder(failAfter(clock, 6_000)),
    ...['a', 'b'].map((name) => inOrder(() => Promise.resolve(tried.push(name)))),
  ];
  const settled = Promise.allSettled(results);
  await clock.advance(0);
  await clock.advance(6_000);
  expect((await settled).map((each) => (each.status === 'rejected' ? String(each.reason) : each.status))).toEqual(
    results.map(() => 'Error: failed after 6000 ms'),
  );
  expect(tried).toEqual([]);
  await inOrder(() => Promise.resolve(tried.push('later')));
  expect(tried).toEqual(['later']);
});
