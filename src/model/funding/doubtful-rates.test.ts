import { expect, it } from 'vitest';
import { createWhyShared, describeDoubtfulRates } from './doubtful-rates.ts';

it('names the rates that are in doubt by reason, and no more than three of them', () => {
  const named = (name: string, doubt: string | null) => ({ name, doubt });
  expect(describeDoubtfulRates('predicted rate', [named('A', null)])).toEqual([]);
  const all = ['A', 'B', 'C', 'D', 'E'].map((name) => named(name, 'too high'));
  expect(describeDoubtfulRates('settled rate', [...all, named('F', 'late')])).toEqual([
    { title: 'A, B, C and 2 more: settled rate in doubt.', text: 'They are too high.' },
    { title: 'F: settled rate in doubt.', text: 'It is late.' },
  ]);
});

it.each<
  [name: string, rates: readonly (readonly [rate: number | null, interest?: number | null])[], isDoubtful: boolean]
>([
  ['all the same', [[0.00032], [0.00032], [0.00032]], true],
  ['most of them', [[0.00032], [0.00032], [0.00032], [0.0002], [null]], true],
  ['half of them', [[0.00032], [0.00032], [0.00032], [0.0002], [0.0003], [0.0004]], false],
  ['only two', [[0.00032], [0.00032]], false],
  ['the interest rate', [[0.0001], [0.0001], [0.0001]], false],
  ['zero', [[0], [0], [0]], false],
  ['of unknown interest', [[0.00032], [0.00032], [0.00032, null]], false],
  ['none', [], false],
])('rates that perpetuals share are doubtful unless they may be: %s', (_, rates, isDoubtful) => {
  const whyShared = createWhyShared(rates.map(([rate, interest = 0.0001]) => ({ rate, interest })));
  expect(whyShared(rates[0]?.[0]) !== null).toBe(isDoubtful);
  expect([whyShared(null), whyShared(0.0002)]).toEqual([null, null]);
});
