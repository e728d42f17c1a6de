import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, LONGEST_MS } from './retry.ts';
import type { SendResult } from './send-result.ts';

const failed: SendResult = { outcome: 'failed', status: 500, reason: 'It responded with 500.', answer: '', retryAfterMs: null };

test('the wait doubles up to an hour, and varies by a fifth', () => {
  const waits = [1, 2, 3, 9, 12, 100].map((attempts) => decide(failed, { madeAt: 0, attempts }, 0, 0.5).nextAt);
  expect(waits).toEqual([5_000, 10_000, 20_000, 1_280_000, 3_600_000, 3_600_000]);
  expect([0, 0.999].map((random) => decide(failed, { madeAt: 0, attempts: 1 }, 0, random).nextAt)).toEqual([4_000, 5_998]);
});

test('no call waits beyond a day, and none is sent before the receiver wants it', () => {
  fc.assert(
    fc.property(fc.nat(LONGEST_MS), fc.integer({ min: 1, max: 50 }), fc.option(fc.nat(2 * LONGEST_MS)), fc.double({ min: 0, max: 0.999, noNaN: true }), (now, attempts, retryAfterMs, random) => {
      const { nextAt, outcome } = decide({ ...failed, retryAfterMs }, { madeAt: 0, attempts }, now, random);
      if (nextAt === null) expect(outcome).toBe('given up');
      else expect(nextAt <= LONGEST_MS && nextAt >= now + (retryAfterMs ?? 0)).toBe(true);
    }),
  );
});

test('what was delivered is never sent again', () => {
  expect(decide({ ...failed, outcome: 'delivered', reason: '' }, { madeAt: 0, attempts: 1 }, 0, 0)).toEqual({ outcome: 'delivered', reason: '', nextAt: null });
});
