import { expect, it } from 'vitest';
import { toDensityPath } from './use-activity.ts';

const window = { from: 0, to: 100 };

it('a bar stands for each bucket with changes, its height by their square root, and within the window', () => {
  const buckets = [
    { from: -5, to: 5, changes: 100 },
    { from: 50, to: 60, changes: 25 },
    { from: 60, to: 70, changes: 0 },
    { from: 200, to: 210, changes: 4 },
  ];
  expect(toDensityPath(buckets, window)).toBe('M0.0 100V0.0H50.0V100ZM500.0 100V50.0H600.0V100Z');
});

it('a single change among thousands can still be seen', () => {
  expect(
    toDensityPath(
      [
        { from: 0, to: 10, changes: 100_000 },
        { from: 10, to: 20, changes: 1 },
      ],
      window,
    ),
  ).toContain('M100.0 100V92.0');
  expect(toDensityPath([], window)).toBe('');
});
