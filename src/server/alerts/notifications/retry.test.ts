import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, LONGEST_MS } from './deliver.ts';
import type { SendResult } from './sender.ts';

const failed: SendResult = {
  outcome: 'failed',
  status: 500,
  reason: 'It responded with 500.',
  answer: '',
  retryAfterMs: null,
};

test('the wait doubles up to an hour, and varies by a fifth', () => {
  const waits = [1, 2, 3, 9, 12, 100].map((attempts) => decide(failed, { madeAt: 0, attempts }, 0, 0.5).nextAt);
  expect(waits).toEqual([5_000, 10_000, 20_000, 1_280_000, 3_600_000, 3_600_000]);
  expect([0, 0.999].map((random) => decide(failed, { madeAt: 0, attempts: 1 }, 0, random).nextAt)).toEqual([
    4_000, 5_998,
  ]);
});

test('a call is tried for a whole day, and before that not sent earlier than the receiver wants it', () => {
  fc.assert(
    fc.property(
      fc.nat(LONGEST_MS),
      fc.integer({ min: 1, max: 50 }),
      fc.option(fc.nat(2 * LONGEST_MS)),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (now, attempts, retryAfterMs, random) => {
        const { nextAt, outcome } = decide({ ...failed, retryAfterMs }, { madeAt: 0, attempts }, now, random);
        if (now >= LONGEST_MS) expect([outcome, nextAt]).toEqual(['given up', null]);
        else
          expect(
            nextAt !== null &&
              nextAt > now &&
              nextAt <= LONGEST_MS &&
              nextAt >= Math.min(now + (retryAfterMs ?? 0), LONGEST_MS),
          ).toBe(true);
      },
    ),
  );
});

test('a receiver that wants to be left alone for longer than a day is called once more at its end', () => {
  const long = { ...failed, retryAfterMs: 90_000_000 };
  expect(decide(long, { madeAt: 0, attempts: 1 }, 0, 0)).toEqual({
    outcome: 'failed',
    reason: failed.reason,
    nextAt: LONGEST_MS,
  });
  expect(decide(long, { madeAt: 0, attempts: 2 }, LONGEST_MS, 0)).toEqual({
    outcome: 'given up',
    reason: `${failed.reason} Given up after a day.`,
    nextAt: null,
  });
});

test('what was delivered is never sent again', () => {
  expect(decide({ ...failed, outcome: 'delivered', reason: '' }, { madeAt: 0, attempts: 1 }, 0, 0)).toEqual({
    outcome: 'delivered',
    reason: '',
    nextAt: null,
  });
});
