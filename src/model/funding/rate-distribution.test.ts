import { expect, test } from 'vitest';
import type { FundingYearRank } from '#contract/desk/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { distributeRates, toPercentile, whyNoYearPercentile } from './rate-distribution.ts';
import { FundingRateData } from '#contract/exchange/market-data.ts';
import { createParser } from '#contract/parse/parse.ts';
import { createFundingSeries } from './funding-series.ts';

const rankOf = (intervals: number, below: number, equal: number): FundingYearRank => ({
  interval_end: '2026-08-17T08:00:00Z' as Instant,
  intervals,
  below,
  equal,
});

test.each([
  ['the lowest of a year', rankOf(1_000, 0, 1), '0.0005'],
  ['the highest', rankOf(1_000, 999, 1), '0.9995'],
  ['a year of one rate', rankOf(1_095, 0, 1_095), '0.5'],
  ['three quarters lower, a tenth equal', rankOf(100, 75, 10), '0.8'],
])('the percentile of %s', (_, rank, expected) => {
  expect(toPercentile(rank, 'market')?.toFixed()).toBe(expected);
  expect(whyNoYearPercentile(rank)).toBeNull();
});

test('the lowest rate of the market is the best of a long position', () => {
  const percentiles = (['market', 'short', 'long'] as const).map((side) =>
    toPercentile(rankOf(1_095, 2, 1), side)
      ?.times(1_095)
      .toFixed(9),
  );
  expect(percentiles).toEqual(['2.500000000', '2.500000000', '1092.500000000']);
});

test('there is none among the rates of less than a month, nor without a rate, and it says why', () => {
  expect(toPercentile(rankOf(89, 40, 1), 'market')).toBeNull();
  expect(whyNoYearPercentile(rankOf(89, 40, 1))).toBe(
    'Only 89 settled rates in the last 365 days; at least 90 are needed.',
  );
  expect(toPercentile(null, 'market')).toBeNull();
  expect(whyNoYearPercentile(null)).toBe(
    'No settled rate, or the exchange reports different rates for the latest interval.',
  );
});

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
