import { expect, it } from 'vitest';
import { createUsage } from './usage.ts';

it('allows a burst, then so many a second, and says when to try again', () => {
  let now = 0;
  const { take, release } = createUsage({ atOnce: 100, burst: 3, perSecond: 2 }, () => now);
  expect([take('a'), take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 0, 500, 0]);
  now = 500;
  expect([take('a'), take('a')]).toEqual([0, 500]);
  now = 1_000_000;
  for (let used = 0; used < 4; used++) release('a');
  expect([take('a'), take('a'), take('a'), take('a')]).toEqual([0, 0, 0, 500]);
});

it('allows so many at the same time', () => {
  const { take, release } = createUsage({ atOnce: 2, burst: 100, perSecond: 1 }, () => 0);
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 1_000]);
  release('a');
  expect([take('a'), take('a')]).toEqual([0, 1_000]);
});
