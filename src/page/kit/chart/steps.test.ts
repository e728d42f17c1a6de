import { expect, it } from 'vitest';
import { type Attached, type Canvas, drawSteps } from './layers.ts';

/** Records what is drawn, at ten pixels per bar and one pixel per unit of value. */
function draw(values: readonly (number | null)[], filled: boolean) {
  const drawn: (readonly [string, ...number[]])[] = [];
  const record =
    (what: string) =>
    (...at: number[]) =>
      void drawn.push([what, ...at]);
  const context = {
    beginPath: () => undefined,
    stroke: () => undefined,
    setLineDash: () => undefined,
    moveTo: record('from'),
    lineTo: record('to'),
    fillRect: record('column'),
  };
  const chart = { timeScale: () => ({ logicalToCoordinate: (index: number) => index * 10 }) };
  const series = { priceToCoordinate: (value: number) => 100 - value };
  drawSteps({ context } as unknown as Canvas, { chart, series } as unknown as Attached, {
    values,
    color: '',
    dash: [],
    filled,
  });
  return drawn;
}

it('draws each value over the interval that ends at its time, and nothing for a missing one', () => {
  expect(draw([4, 6, null, 8], false)).toEqual([
    ['from', -9.5, 96.5],
    ['to', 0.5, 96.5],
    ['to', 0.5, 94.5],
    ['to', 10.5, 94.5],
    ['from', 20.5, 92.5],
    ['to', 30.5, 92.5],
  ]);
});

it('draws columns over the same intervals as lines, from zero', () => {
  expect(draw([null, 6, -2], true)).toEqual([
    ['column', 0, 100, 9, -6],
    ['column', 10, 100, 9, 2],
  ]);
});
