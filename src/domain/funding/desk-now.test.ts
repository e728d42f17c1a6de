import { expect, it } from 'vitest';
import type { Instant } from '#contract/instant.ts';
import { createDeskNow } from './desk-now.ts';

const START = Date.parse('2026-11-22T04:00:00Z');

/** An answer of a venue at `START`, that the desk sent on so many milliseconds later and took so long to come. */
function answer(sentAfterMs: number, tookMs: number, browserAheadMs: number) {
  return {
    ...{ endpoint: 'fundingRatesEstimated', target: '/api/x', cache: 'venue' as const, requestId: null },
    answeredAt: new Date(START).toISOString() as Instant,
    ageSeconds: Math.floor(sentAfterMs / 1_000),
    receivedAt: START + sentAfterMs + tookMs + browserAheadMs,
  };
}

it('is one for all answers, however their ages were cut', () => {
  let now = START;
  const deskNow = createDeskNow(() => now);
  const answers = [answer(1_900, 5, 0), answer(1_000, 20, 0), answer(500, 400, 0)];
  for (const source of answers) deskNow(source);
  now = START + 5_000;
  expect(answers.map(deskNow)).toEqual([now - 20, now - 20, now - 20]);
});

it('takes out what this browser’s clock is wrong by, and what it is set by meanwhile', () => {
  let now = START + 90_000;
  const deskNow = createDeskNow(() => now);
  expect(deskNow(answer(0, 0, 90_000))).toBe(START);
  now = START + 30_000;
  for (let minute = 0; minute < 3; minute++) {
    now += 61_000;
    deskNow(answer(0, 0, 10_000));
  }
  expect(deskNow(answer(0, 0, 10_000))).toBe(now - 10_000);
});

it('learns nothing from an answer that does not say when it was made', () => {
  const now = START + 90_000;
  const deskNow = createDeskNow(() => now);
  const timeless = { ...answer(0, 0, 90_000), answeredAt: null };
  expect(deskNow(timeless)).toBe(now);
  expect([answer(0, 0, 90_000), timeless].map(deskNow)).toEqual([START, START]);
});
