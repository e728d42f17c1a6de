import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { sleep } from './sleep.ts';

it('a wait leaves nothing behind, whether it came to its end or was aborted', async () => {
  const stop = new AbortController();
  for (let wait = 0; wait < 3; wait += 1) await sleep(0, stop.signal);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  const waiting = sleep(1_000_000, stop.signal);
  stop.abort();
  await waiting;
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
});
