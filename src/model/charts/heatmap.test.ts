import { expect, it } from 'vitest';
import { keepReadable } from './heatmap.ts';

it('names only as many days as have room, and the newest that has', () => {
  const days = Array.from({ length: 10 }, (_, at) => ({
    column: at * 3,
    name: `06-${String(at + 1).padStart(2, '0')}`,
  }));
  const names = (width: number): string =>
    keepReadable(days, { columns: 30, width, every: 3 })
      .map(({ name }) => name)
      .join(' ');
  expect(keepReadable(days, { columns: 30, width: 20, every: 3 })).toEqual(days);
  expect(names(5)).toBe('06-02 06-05 06-08');
  expect(names(2)).toBe('06-04');
});
