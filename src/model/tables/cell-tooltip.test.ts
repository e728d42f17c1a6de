import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeOldTrade, formatTradeAge } from './cell-tooltip.ts';

it.each([
  [0, '< 1 min'],
  [59.9, '< 1 min'],
  [60, '1 min'],
  [7_500, '2 h 05 min'],
])('an age of %d seconds is %s', (seconds, text) => {
  expect(formatTradeAge(seconds)).toBe(text);
});

it.each([
  [-3_600, null],
  [300, null],
  [301, '5 min ago'],
  [200_000, '2 d 7 h ago'],
])('a trade %d seconds ago is shown beside its price as %s', (seconds, text) => {
  const at = '2026-11-20T12:00:00.123456789Z';
  expect(describeOldTrade(at as Instant, Date.parse(at) + seconds * 1_000)).toBe(text);
});
