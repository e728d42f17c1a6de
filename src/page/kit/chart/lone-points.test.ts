import { expect, test } from 'vitest';
import { drawDots, findLonePoints } from './layers.ts';

test('finds values between gaps or ends, but none connected by a line', () => {
  expect(findLonePoints([100, null, 102, null, null, 105, 106, null, 108])).toEqual([
    { index: 0, value: 100 },
    { index: 2, value: 102 },
    { index: 8, value: 108 },
  ]);
});

test('treats zero as a value, and finds no points without values', () => {
  expect(findLonePoints([null, 0, null])).toEqual([{ index: 1, value: 0 }]);
  expect(findLonePoints([])).toEqual([]);
});

test('draws a dot in the colour of the line at time and value', () => {
  const dots: unknown[] = [];
  const context = { fillStyle: '', fillRect: (...box: number[]) => dots.push({ box, color: context.fillStyle }) };
  const chart = { timeScale: () => ({ logicalToCoordinate: (index: number) => index * 10 }) };
  const series = { priceToCoordinate: (value: number) => (value === 102 ? 7 : null) };
  drawDots({ context } as never, { chart, series } as never, findLonePoints([null, 102, null]), 'teal');
  expect(dots).toEqual([{ box: [8, 5, 4, 4], color: 'teal' }]);
});
