import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planIntervals, type Watched } from './plan.ts';

const working: Watched = { everySeconds: 5, weight: 16, cost: 1 };
const stats: Watched = { everySeconds: 20, weight: 2, cost: 1 };
const status: Watched = { everySeconds: 6, weight: 2, cost: 0 };

const rateOf = (topics: readonly Watched[], intervals: readonly number[]): number =>
  topics.reduce((sum, { cost }, index) => sum + cost / (intervals[index] ?? 0), 0);

test('with enough budget, each topic is read as often as makes sense', () => {
  expect(planIntervals([working, stats, status], 0.5)).toEqual([5, 20, 6]);
  expect(planIntervals([], 0)).toEqual([]);
});

test('with less, the least important are stretched first, and the whole budget is used', () => {
  const topics = [working, stats, status];
  const intervals = planIntervals(topics, 0.24);
  expect(intervals[0]).toBe(5);
  expect(intervals[1]).toBeCloseTo(25);
  expect(intervals[2]).toBe(6);
});

test('more watchers of a topic shorten its interval at the cost of the others', () => {
  const [alone = 0] = planIntervals([working, stats], 0.15);
  const [, shared = 0] = planIntervals([working, { ...stats, weight: 2_000 }], 0.15);
  expect(planIntervals([working, { ...stats, weight: 2_000 }], 0.15)[0]).toBeGreaterThan(alone);
  expect(shared).toBe(20);
});

test('a set that is read in many parts is read as seldom as its cost demands', () => {
  const [interval = 0] = planIntervals([{ ...working, cost: 40 }], 0.2);
  expect(interval).toBeCloseTo(200);
});

const watched = fc.record({
  everySeconds: fc.integer({ min: 1, max: 60 }),
  weight: fc.integer({ min: 1, max: 1_000 }),
  cost: fc.integer({ min: 0, max: 50 }),
});

test('whatever is watched, no interval is shorter than makes sense, and none beyond the budget', () => {
  fc.assert(
    fc.property(fc.array(watched, { maxLength: 12 }), fc.double({ min: 0.01, max: 2, noNaN: true }), (topics, rate) => {
      const intervals = planIntervals(topics, rate);
      for (const [index, { everySeconds }] of topics.entries())
        expect(intervals[index]).toBeGreaterThanOrEqual(everySeconds);
      expect(rateOf(topics, intervals)).toBeLessThanOrEqual(rate * 1.000_001);
      const isStretched = intervals.some(
        (interval, index) => interval > (topics[index]?.everySeconds ?? 0) * 1.000_001,
      );
      if (isStretched) expect(rateOf(topics, intervals)).toBeGreaterThan(rate * 0.999_999);
    }),
  );
});
