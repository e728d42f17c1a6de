import { expect, it } from 'vitest';
import { countPriceDigits, countTickDigits } from './price-digits.ts';

it('prices have the fraction digits of the most precise one, and at least two', () => {
  expect([['5301.0', '5076.6'], ['117176.9', '117300'], ['0.48172', '0.5'], []].map(countPriceDigits)).toEqual([
    2, 2, 5, 2,
  ]);
});

it('prices in ticks have the digits of the tick size, without what is left of a calculation, and no more than prices have', () => {
  expect(['5', '0.05', '0.000002', '2e-9', '5e-7', '0.00001', '0.25000'].map(countTickDigits)).toEqual([
    2, 2, 6, 9, 7, 5, 2,
  ]);
  expect(
    ['0.21000000000000002', '0.30000000000000004', '0.000021000000000000002', '0.3333333333333333', '1e-30'].map(
      countTickDigits,
    ),
  ).toEqual([2, 2, 6, 10, 10]);
});
