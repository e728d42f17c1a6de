import { expect, it } from 'vitest';
import { toCellWidth } from './paint-heatmap.ts';

it('fits all columns into the room, but makes none wider than high or too narrow to tell apart', () => {
  expect([90, 270, 540].map((columns) => Math.round(toCellWidth(1_344, columns) * columns))).toEqual([1_344, 1_344, 1_344]);
  expect(toCellWidth(2_464, 90)).toBe(20);
  expect(toCellWidth(280, 540)).toBe(2);
  expect(toCellWidth(0, 0)).toBe(2);
});
