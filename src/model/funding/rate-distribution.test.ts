import { expect, test } from 'vitest';
import { FundingRateData } from '#contract/exchange/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { createFundingSeries } from './funding-series.ts';
import { distributeRates } from './rate-distribution.ts';

const HOUR = 3_600_000;
const parser = createParser(FundingRateData);

function seriesOf(rates: readonly string[]) {
  const prints = rates.map((rate, index) => {
    const [start, end] = [index, index + 1].map((at) => new Date(at * 8 * HOUR).toISOString());
    return parser.strict(
      `{"product_id":1,"price_index":1,"mark_price":1,"interest_rate":0.0001,"funding_rate":${rate},"interval_start":"${start ?? ''}","interval_end":"${end ?? ''}"}`,
    );
  });
  return createFundingSeries({ prints, knownFrom: null, reachesLaunch: false });
}

const filled = (rates: readonly string[], to = Infinity) =>
  distributeRates(seriesOf(rates), { from: 0, to })
    .filter(({ count }) => count > 0)
    .map(({ kind, from, to: end, count }) => `${kind} ${String(from)} ${String(end)}: ${String(count)}`);

test('each rate is in exactly one range; a range includes its lower bound', () => {
  expect(filled(['-0.002', '-0.001', '-0.00025', '0.00005', '0.00011', '0.00025', '0.001', '0.0009'])).toEqual([
    'range null -10: 1',
    'range -10 -5: 1',
    'range -2.5 -1: 1',
    'range 0 1: 1',
    'range 1 2.5: 1',
    'range 2.5 5: 1',
    'range 5 10: 1',
    'range 10 null: 1',
  ]);
});

test('rates exactly at the interest rate or at zero have their own bins', () => {
  expect(filled(['0.0001', '0.00010', '0', '-0.00001'])).toEqual([
    'range -1 0: 1',
    'zero null null: 1',
    'baseline null null: 2',
  ]);
});

test('only rates of the window count', () => {
  expect(filled(['0.0001', '0.0001', '0.0001'], 16 * HOUR)).toEqual(['baseline null null: 2']);
});
