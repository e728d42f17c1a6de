import { expect, it } from 'vitest';
import { fundingTimeAt } from '#testing/funding-prints.ts';
import { listHeatmapDays } from './heatmap-days.ts';

it('labels each day above its first column, but not above the last column', () => {
  const fundingTimes = [-1, 0, 1, 2, 3, 4, 5, 6].map((count) => Date.parse(fundingTimeAt(count)));
  const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, '2026-06-01'.length);
  expect(listHeatmapDays(fundingTimes, dayOf)).toEqual([
    { column: 1, name: '06-01' },
    { column: 4, name: '06-02' },
  ]);
});
