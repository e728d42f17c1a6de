import { expect, it } from 'vitest';
import { countPriceDigits } from './price-digits.ts';

it('prices have the fraction digits of the most precise one, and at least two', () => {
  expect([['5301.0', '5076.6'], ['117176.9', '117300'], ['0.48172', '0.5'], []].map(countPriceDigits)).toEqual([2, 2, 5, 2]);
});
