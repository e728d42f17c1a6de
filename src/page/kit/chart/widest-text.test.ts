import { expect, it } from 'vitest';
import type { Pane, Series } from '#model/charts/chart-data.ts';
import { findWidestBars, widestOf } from './legend-text.ts';

function widest(values: readonly (number | null)[], text: (value: number | null) => string): string {
  const series: Series = { kind: 'line', ink: 'muted', values };
  const pane: Pane = { name: '', unit: '', share: 1, format: String, series: [series] };
  return widestOf(
    (index) => text(values[index] ?? null),
    findWidestBars({ times: values.map((_, index) => index), panes: [pane] }),
  );
}

it('finds the one largest and the one smallest value among many', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => (index === 501 ? 12_345 : index === 703 ? -1_234_567 : 7));
  expect(widest(values, String)).toBe('-1234567');
  expect(
    widest(
      values.map((value) => Math.max(value, 0)),
      String,
    ),
  ).toBe('12345');
});

it('finds the largest change of a line, which a figure beside it may be', () => {
  const values = Array.from({ length: 1_000 }, (_, index): number | null =>
    index === 0 ? null : index < 333 ? 100 : 130,
  );
  const series: Series = { kind: 'line', ink: 'muted', values };
  expect(
    findWidestBars({
      times: values.map(Number),
      panes: [{ name: '', unit: '', share: 1, format: String, series: [series] }],
    }),
  ).toContain(333);
});

it('includes the last bar, which may be in progress, and a bad tick', () => {
  const values = Array.from({ length: 1_000 }, () => 5);
  expect(widest(values.with(-1, 6), (value) => (value === 6 ? 'in progress' : '5'))).toBe('in progress');
  const candle = { open: 5, high: 6, low: 4, close: 5 };
  const series: Series = {
    kind: 'candles',
    values: values.map(() => candle),
    outliers: [{ index: 333, value: 1, from: 4 }],
  };
  expect(
    findWidestBars({ times: values, panes: [{ name: '', unit: '', share: 1, format: String, series: [series] }] }),
  ).toContain(333);
});

it('reads a text for few bars of many', () => {
  const values = Array.from({ length: 5_000 }, (_, index) => index);
  expect(findWidestBars({ times: values, panes: [] }).length).toBeLessThan(30);
});

it('has no text without bars', () => {
  expect(widest([], String)).toBe('');
  expect(widest([null, null], (value) => (value === null ? '–' : 'x'))).toBe('–');
});
