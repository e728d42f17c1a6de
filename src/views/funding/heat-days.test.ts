import { expect, it } from 'vitest';
import { boundaryAt } from '#testing/funding-prints.ts';
import { listHeatDays } from './heat-days.ts';

it('names each day above its first boundary, and none above the last one, where its name has no room', () => {
  const boundaries = [-1, 0, 1, 2, 3, 4, 5, 6].map((count) => Date.parse(boundaryAt(count)));
  const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, '2026-06-01'.length);
  expect(listHeatDays(boundaries, dayOf)).toEqual([
    { column: 1, name: '06-01' },
    { column: 4, name: '06-02' },
  ]);
});
