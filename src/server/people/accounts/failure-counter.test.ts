import { expect, it } from 'vitest';
import { createFailureCounter } from './lock-out.ts';

const LIMITS = { most: 2, windowMs: 1_000 };

it('forgets keys once their window is over', () => {
  let now = 0;
  const counter = createFailureCounter(LIMITS, () => now);
  for (let n = 0; n < 100; n += 1) counter.add(`early ${String(n)}`);
  now = 600;
  counter.add('early 0');
  counter.add('later');
  now = 1_000;
  counter.add('new');
  expect([counter.size(), counter.waitOf('early 0'), counter.waitOf('later'), counter.waitOf('new')]).toEqual([
    3, 0, 0, 0,
  ]);
  counter.add('early 0');
  expect(counter.waitOf('early 0')).toBe(600);
});

it('keeps a bounded number of keys, of whatever length, those that failed last', () => {
  const counter = createFailureCounter(LIMITS, () => 0);
  const long = 'x'.repeat(1_000_000);
  for (let n = 0; n < 2; n += 1) counter.add(long);
  expect([counter.waitOf(long), counter.waitOf(`${long}x`)]).toEqual([1_000, 0]);
  for (let n = 0; n < 20_000; n += 1) counter.add(String(n));
  expect([counter.size(), counter.waitOf(long)]).toEqual([20_000, 0]);
});

it('takes one failure back, or all of a key', () => {
  const counter = createFailureCounter(LIMITS, () => 0);
  for (const key of ['a', 'a', 'b', 'b']) counter.add(key);
  counter.takeBack('a');
  expect([counter.waitOf('a'), counter.waitOf('b')]).toEqual([0, 1_000]);
  counter.takeBack('a');
  counter.clear('b');
  counter.takeBack('never failed');
  expect(counter.size()).toBe(0);
});
