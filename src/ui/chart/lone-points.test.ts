import { expect, test } from 'vitest';
import { drawDots, findLonePoints } from './lone-points.ts';

test('a value between two gaps, or between a gap and an end, stands alone; one that a line leads to does not', () => {
  expect(findLonePoints([100, null, 102, null, null, 105, 106, null, 108])).toEqual([
    { index: 0, value: 100 },
    { index: 2, value: 102 },
    { index: 8, value: 108 },
  ]);
});

test('zero is a value, and no values have no points', () => {
  expect(findLonePoints([null, 0, null])).toEqual([{ index: 1, value: 0 }]);
  expect(findLonePoints([])).toEqual([]);
});

test('each of them is drawn as a dot in the colour of its line, at its time and value', () => {
  const dots: unknown[] = [];
  const context = { fillStyle: '', fillRect: (...box: number[]) => dots.push({ box, color: context.fillStyle }) };
  const chart = { timeScale: () => ({ logicalToCoordinate: (index: number) => index * 10 }) };
  const series = { priceToCoordinate: (value: number) => (value === 102 ? 7 : null) };
  drawDots({ context } as never, { chart, series } as never, findLonePoints([null, 102, null]), 'teal');
  expect(dots).toEqual([{ box: [8, 5, 4, 4], color: 'teal' }]);
});
