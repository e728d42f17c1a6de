import { expect, it } from 'vitest';
import { CLEAR, type Paints, toCandles, toColumns, toLine } from './series-data.ts';

const paints = { inks: { accent: 'blue', down: 'red', up: 'green' } } as unknown as Paints;
const times = ['2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16'];

it('a running candle has an outline of its own, hollow where it rises and filled where it falls', () => {
  const [rising, falling] = toCandles(
    {
      kind: 'candles',
      values: [
        { open: 1, high: 3, low: 1, close: 2, unfinished: true },
        { open: 2, high: 3, low: 1, close: 1, unfinished: true },
      ],
    },
    times.slice(0, 2),
    paints,
  );
  expect(rising).toMatchObject({ color: CLEAR, borderColor: 'blue', wickColor: 'blue' });
  expect(falling).toMatchObject({ borderColor: 'blue', wickColor: 'blue' });
  expect(falling).not.toHaveProperty('color');
});

it('a line breaks at a gap, and spans times at which there is nothing to have', () => {
  const values = [1, 2, null, null, 3];
  const isBroken = (spanned?: ReadonlySet<number>) =>
    toLine({ kind: 'line', ink: 'accent', values, ...(spanned && { spanned }) }, times).map(
      (point) => 'color' in point,
    );
  expect(isBroken()).toEqual([false, true, false, false, false]);
  expect(isBroken(new Set([2, 3]))).toEqual([false, false, false, false, false]);
  expect(isBroken(new Set([2]))).toEqual([false, true, false, false, false]);
});

it('a quiet column has the colour of its direction, as the background lets it through', () => {
  const [up, down] = ['rgb(1, 2, 3)', 'rgb(4, 5, 6)'];
  const colorsOf = (quiet: boolean) =>
    toColumns({ kind: 'columns', ink: 'accent', inks: ['up', 'down'], quiet, values: [1, 2] }, times.slice(0, 2), {
      inks: { up, down },
    } as unknown as Paints).map((column) => 'color' in column && column.color);
  expect(colorsOf(false)).toEqual([up, down]);
  expect(colorsOf(true)).toEqual(['rgba(1, 2, 3, 0.4)', 'rgba(4, 5, 6, 0.4)']);
});
