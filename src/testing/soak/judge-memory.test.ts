import { expect, it } from 'vitest';
import { findGrowth } from './judge-memory.ts';

const reading = (rss: number, heap: number) => ({ rss: rss * 1_000_000, heap: heap * 1_000_000 });

it('memory may grow by a tenth from the second reading on', () => {
  expect(findGrowth([reading(50, 10), reading(100, 20), reading(300, 90), reading(110, 22)])).toEqual([]);
  expect(findGrowth([reading(50, 10), reading(100, 20), reading(111, 22)])).toEqual([
    'The memory grew from 100.0 MB to 111.0 MB.',
  ]);
  expect(findGrowth([reading(50, 10), reading(100, 20), reading(90, 30)])).toEqual([
    'The heap grew from 20.0 MB to 30.0 MB.',
  ]);
});

it('one reading says nothing about growth', () => {
  expect([findGrowth([]), findGrowth([reading(50, 10)])]).toEqual([[], []]);
});
