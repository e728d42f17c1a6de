import { expect, it } from 'vitest';
import { fundingTimeAt } from '#testing/funding-prints.ts';
import { keepReadable, listHeatmapDays } from './heatmap-days.ts';

it('labels each day above its first column, but not above the last column', () => {
  const fundingTimes = [-1, 0, 1, 2, 3, 4, 5, 6].map((count) => Date.parse(fundingTimeAt(count)));
  const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, '2026-06-01'.length);
  expect(listHeatmapDays(fundingTimes, dayOf)).toEqual([
    { column: 1, name: '06-01' },
    { column: 4, name: '06-02' },
  ]);
});

it('names only as many days as have room, and the newest that has', () => {
  const days = Array.from({ length: 10 }, (_, at) => ({
    column: at * 3,
    name: `06-${String(at + 1).padStart(2, '0')}`,
  }));
  const names = (width: number): string =>
    keepReadable(days, { columns: 30, width })
      .map(({ name }) => name)
      .join(' ');
  expect(keepReadable(days, { columns: 30, width: 20 })).toEqual(days);
  expect(names(5)).toBe('06-02 06-05 06-08');
  expect(names(2)).toBe('06-04');
});
