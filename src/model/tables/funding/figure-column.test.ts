import { expect, it } from 'vitest';
import { toDecimal } from '../../units/decimal.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { RankedRow } from './compare-row.ts';
import { figureCells, toRateTone, toWindowTone } from './figure-column.ts';

it('names who pays, and how much by the steps of the heatmap', () => {
  const rates = [0.0001, 0.00025, 0.0005, 0.0011, -0.0001, -0.002];
  expect(rates.map(toRateTone)).toEqual(['longs-1', 'longs-2', 'longs-3', 'longs-4', 'shorts-1', 'shorts-4']);
});

it('names nobody below one basis point, and where there is no rate', () => {
  expect([0, 0.00009, -0.00009, null].map(toRateTone)).toEqual([undefined, undefined, undefined, undefined]);
});

it('goes by the mean rate of a window, however long that is', () => {
  expect(
    [
      { sum: toDecimal('-0.0021'), prints: 21, baseline: 20 },
      { sum: toDecimal('0.0009'), prints: 3, baseline: 0 },
      { sum: null, prints: 0, baseline: 0 },
    ].map(toWindowTone),
  ).toEqual(['shorts-1', 'longs-2', undefined]);
});

it('names nobody where every rate of a window was the interest rate', () => {
  expect(toWindowTone({ sum: toDecimal('0.0021'), prints: 21, baseline: 21 })).toBeUndefined();
});

it.each([
  ['a withheld figure', { value: null, withheld: 'Impossible value.' } as Quantity, 'n/a'],
  ['a missing figure', { value: null, withheld: null } as Quantity, '–'],
  ['no figure', null, '–'],
])('writes %s so that the two are told apart', (_, quantity, text) => {
  const cells = figureCells(
    'premium',
    () => quantity,
    () => 'written',
  );
  expect(cells.text({} as RankedRow)).toBe(text);
});
