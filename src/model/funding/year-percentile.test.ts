import { expect, test } from 'vitest';
import type { FundingYearRank } from '#contract/desk/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { toYearPercentile, whyNoYearPercentile } from './year-percentile.ts';

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
  expect(toYearPercentile(rank, 'market')?.toFixed()).toBe(expected);
  expect(whyNoYearPercentile(rank)).toBeNull();
});

test('the lowest rate of the market is the best of a long position', () => {
  const percentiles = (['market', 'short', 'long'] as const).map((side) =>
    toYearPercentile(rankOf(1_095, 2, 1), side)
      ?.times(1_095)
      .toFixed(9),
  );
  expect(percentiles).toEqual(['2.500000000', '2.500000000', '1092.500000000']);
});

test('there is none among the rates of less than a month, nor without a rate, and it says why', () => {
  expect(toYearPercentile(rankOf(89, 40, 1), 'market')).toBeNull();
  expect(whyNoYearPercentile(rankOf(89, 40, 1))).toBe(
    'Only 89 settled rates in the last 365 days; at least 90 are needed.',
  );
  expect(toYearPercentile(null, 'market')).toBeNull();
  expect(whyNoYearPercentile(null)).toBe(
    'No settled rate, or the exchange reports different rates for the latest interval.',
  );
});
