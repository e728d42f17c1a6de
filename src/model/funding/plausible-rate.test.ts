import { expect, it } from 'vitest';
import type { Quantity } from '../units/quantity.ts';
import { toDecimal } from '../units/decimal.ts';
import { describeDoubtfulRates } from './plausible-rate.ts';

const named = (name: string, rate: string | null) => ({
  name,
  rate: rate === null ? null : ({ value: toDecimal(rate) } as Quantity),
});

it('names the rates that are in doubt, whatever their sign, and no more than three of them', () => {
  expect(
    describeDoubtfulRates('predicted rate', [named('A', '0.0075'), named('B', null), named('C', '-0.0075')]),
  ).toBeNull();
  expect(describeDoubtfulRates('predicted rate', [named('A', '0.01'), named('B', '0.0001')])).toEqual({
    title: 'A: predicted rate in doubt.',
    text: 'It is beyond ±0.75 % per 8 h.',
  });
  const all = ['A', 'B', 'C', 'D', 'E'].map((name) => named(name, '-0.02'));
  expect(describeDoubtfulRates('settled rate', all)).toEqual({
    title: 'A, B, C and 2 more: settled rate in doubt.',
    text: 'They are beyond ±0.75 % per 8 h.',
  });
});
