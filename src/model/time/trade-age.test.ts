import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { isOldTrade, toTradeAge } from './trade-age.ts';

const TRADED = '2026-11-20T12:00:00.123456789Z' as Instant;

function ageAfter(seconds: number): number | null {
  return toTradeAge(TRADED, Date.parse(TRADED) + seconds * 1_000);
}

it.each([
  [90, 90],
  [0, 0],
  [-30, 0],
  [-31, null],
])('a trade is %d seconds ago: its age is %s', (seconds, age) => {
  expect(ageAfter(seconds)).toBe(age);
});

it('is old after five minutes', () => {
  expect([300, 301].map(isOldTrade)).toEqual([false, true]);
});
