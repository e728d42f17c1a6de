import { expect, it } from 'vitest';
import { toCellWidth } from './paint-heatmap.ts';

it('fits all columns into the room, but makes none very wide, or too narrow to tell apart', () => {
  expect([90, 270, 540].map((columns) => Math.round(toCellWidth(1_344, columns) * columns))).toEqual([
    1_344, 1_344, 1_344,
  ]);
  expect(toCellWidth(9_000, 90)).toBe(32);
  expect(toCellWidth(280, 540)).toBe(2);
  expect(toCellWidth(0, 0)).toBe(2);
});
