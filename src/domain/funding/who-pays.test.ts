import { expect, it } from 'vitest';
import { toDecimal } from '../decimal.ts';
import { describeFunding, namePayer } from './who-pays.ts';

const rates = ['0.0001', '-0.0001', '0', '-0'].map(toDecimal);

it('who pays is told, and whom', () => {
  expect(rates.map(namePayer)).toEqual(['longs pay', 'shorts pay', 'nobody pays', 'nobody pays']);
  expect(rates.map(describeFunding)).toEqual(['longs pay shorts', 'shorts pay longs', 'nobody pays', 'nobody pays']);
});
