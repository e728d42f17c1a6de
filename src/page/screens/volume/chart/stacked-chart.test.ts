import { expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { toStackedDays } from '#model/voi/stacked-days.ts';
import { toEntries } from '#page/kit/chart/legend-text.ts';
import { SERIES_INKS } from '#model/charts/chart-data.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { toStackedChartData } from '#model/charts/volume/volume-chart.ts';

const [sample] = sampleResponses.chartVoi;

function chartData(
  volumes: Readonly<Record<number, readonly (number | null)[]>>,
  openInterest: (id: string, day: number) => number | null = () => 7,
) {
  const rows = Object.entries(volumes).flatMap(([id, days]) =>
    days.map((volume, day) => ({
      ...sample,
      productId: Number(id),
      date: `2026-11-1${String(day)}`,
      volume,
      openInterest: openInterest(id, day),
    })),
  );
  const { value } = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(rows));
  const products = Object.keys(volumes).map((id) => ({
    id: Number(id),
    name: `P${id}`,
    product: null,
  })) as unknown as readonly NamedProduct[];
  const stack = {
    volume: toStackedDays(value ?? [], products, 'volume'),
    openInterest: toStackedDays(value ?? [], products, 'openInterest'),
  };
  return toStackedChartData(stack, products, 'contracts');
}

test('a day on which one product has no open interest is a gap, and its total is n/a', () => {
  const { panes, readouts } = chartData({ 1: [1, 1, 1], 2: [10, 10, 10] }, (id, day) =>
    id === '1' && day === 1 ? null : 7,
  );
  expect(panes[1]?.series.map(({ values }) => values)).toEqual([
    [14, null, 14],
    [7, null, 7],
  ]);
  expect(panes[0]?.series[0]?.values).toEqual([11, 11, 11]);
  const textOf = (name: string) => readouts.find((readout) => readout.name === `Open interest${name}`)?.text(1);
  expect([textOf(', total'), textOf(' P1'), textOf(' P2')]).toEqual(['n/a', '–', '7']);
});

test('parts are stacked with the largest at the bottom, and the highest is drawn first', () => {
  const { panes, readouts } = chartData({ 1: [1, 2], 2: [10, 20] });
  expect(panes[0]?.series.map((series) => ['ink' in series && series.ink, series.values])).toEqual([
    [SERIES_INKS[1], [11, 22]],
    [SERIES_INKS[0], [10, 20]],
  ]);
  expect(readouts.slice(0, 3).map(({ name, text }) => [name, text(1)])).toEqual([
    ['Volume P2', '20'],
    ['Volume P1', '2'],
    ['Volume, total', '22'],
  ]);
});

test('products with open interest come before expired ones with more volume; equal open interest is ordered by the newest volume', () => {
  const { readouts } = chartData({ 1: [900, 900, null], 2: [1, 1, 1], 3: [1, 1, 1], 4: [5, 1, 2] }, (id, day) =>
    id === '1' && day === 2 ? null : id === '3' ? 8 : 7,
  );
  expect(readouts.slice(0, 4).map(({ entry }) => entry?.name)).toEqual(['P3', 'P4', 'P2', 'P1']);
});

test('a product has one entry in the legend, with both figures, and the total comes last', () => {
  const entries = toEntries(chartData({ 1: [1], 2: [2] }).readouts);
  expect([...entries].map(([name, figures]) => [name, figures.map(({ entry }) => entry?.figure)])).toEqual(
    ['P2', 'P1', 'Total'].map((name) => [name, ['Volume', 'OI']]),
  );
});

test('a missing figure is not part of the stack, and not zero', () => {
  const { panes, readouts } = chartData({ 1: [null, 2], 2: [10, 20] });
  expect(panes[0]?.series[0]?.values).toEqual([null, 22]);
  expect(readouts.find(({ name }) => name === 'Volume P1')?.text(0)).toBe('–');
});

test('products without a colour of their own are one part, n/a where one of them is missing', () => {
  const many = Object.fromEntries(
    Array.from({ length: SERIES_INKS.length + 2 }, (_, index) => [index + 1, [100 - index, 100 - index]]),
  );
  const { panes, readouts } = chartData(many, (id, day) => (id === '9' && day === 1 ? null : 7));
  const others = readouts.find(({ name }) => name === 'Open interest 3 others');
  expect([others?.text(0), others?.text(1)]).toEqual(['21', 'n/a']);
  expect(panes[0]?.series).toHaveLength(SERIES_INKS.length);
  expect(readouts.some(({ name }) => name === 'Volume 3 others')).toBe(true);
});
