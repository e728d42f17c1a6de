import { expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import type { HistoryLine } from './basis-history.ts';
import { listHistoryMarks, toHistoryHeat } from './history-heatmap.ts';

function lineOf(values: readonly (number | null)[], cells: HistoryLine['cells']): HistoryLine {
  return { key: 'Z26', kind: 'month', name: 'Z26', cells, drawn: { aYear: values, usd: values, fraction: values } };
}

it('colours a basis by fixed steps on both sides of zero, and marks one beyond them', () => {
  const values = [0, 0.0199, 0.02, -0.05, 0.1, -0.2, 0.2001];
  const heat = toHistoryHeat(
    lineOf(
      values,
      values.map(() => 'basis'),
    ),
  );
  expect(heat.map((cell) => (cell.kind === 'filled' ? cell.strength : null))).toEqual([0, 0, 1, -2, 3, -4, 4]);
  expect(heat.map((cell) => cell.kind === 'filled' && cell.isNegative)).toEqual([
    ...[false, false, false],
    ...[true, false, true, false],
  ]);
  expect(heat.map((cell) => cell.kind === 'filled' && cell.clipped).indexOf(true)).toBe(6);
});

it('hatches only what is missing', () => {
  const heat = toHistoryHeat(lineOf([null, null, null], ['missing', 'too near', 'not listed']));
  expect(heat.map(({ kind }) => kind)).toEqual(['hatched', 'dotted', 'dotted']);
});

it('names each month above its first session, unless the history begins within it', () => {
  const sessions = ['2026-10-29', '2026-10-30', '2026-11-02', '2026-11-03', '2026-12-01'] as Day[];
  expect(listHistoryMarks(sessions)).toEqual([
    { column: 2, name: '2026-11' },
    { column: 4, name: '2026-12' },
  ]);
});
