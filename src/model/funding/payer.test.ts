import { expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { describeFunding, namePayer } from './payer.ts';

const rates = ['0.0001', '-0.0001', '0', '-0'].map(toDecimal);

it('names who pays whom', () => {
  expect(rates.map(namePayer)).toEqual(['longs pay', 'shorts pay', 'no payment', 'no payment']);
  expect(rates.map(describeFunding)).toEqual(['longs pay shorts', 'shorts pay longs', 'no payment', 'no payment']);
});
