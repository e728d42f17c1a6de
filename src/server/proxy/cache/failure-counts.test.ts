import { expect, test } from 'vitest';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createFailureCounts } from './failure-counts.ts';

test('a spent budget is counted apart from failures of the exchange, each with its first and last time', async () => {
  const clock = createFakeClock();
  const counts = createFailureCounts(clock.now);
  const start = clock.now();
  counts.add('failed', { type: 'venue-timeout', detail: 'It did not respond.' });
  await clock.advance(1_000);
  counts.add('stale', { type: 'budget-spent', detail: 'Wait.' });
  await clock.advance(1_000);
  counts.add('stale', { type: 'venue-unreachable', detail: 'It is down.' });
  expect(counts.state()).toEqual({
    venue: { stale: 1, failed: 1, firstAt: start, lastAt: start + 2_000 },
    budget: { stale: 1, failed: 0, firstAt: start + 1_000, lastAt: start + 1_000 },
  });
});
