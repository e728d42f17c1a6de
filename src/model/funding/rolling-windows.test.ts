import { expect, it } from 'vitest';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { createFundingSeries, type FundingSeries } from './funding-series.ts';
import type { FundingWindow } from './funding-window.ts';
import numbers from './funding-numbers.json' with { type: 'json' };
import { toPercentile } from './rate-distribution.ts';
import { rankWindow, toSideZScore } from './rolling-windows.ts';

const toSeries = (prints: readonly WrittenPrint[]): FundingSeries =>
  createFundingSeries({ prints: toWirePrints(prints), knownFrom: null, reachesLaunch: false });
const intervals = (from: number, to: number): FundingWindow => ({
  from: Date.parse(fundingTimeAt(from)),
  to: Date.parse(fundingTimeAt(to)),
});

const { prints, cases } = numbers.rolling;

it.each(cases)(
  'the mean of $length intervals among those of the last $past stands where an independent calculator finds it',
  ({ length, past, windows, below, equal, zScore }) => {
    const standing = rankWindow(toSeries(prints), intervals(300 - length, 300), intervals(300 - past, 300));
    expect(standing).toMatchObject({ intervals: windows, below, equal });
    expect(standing?.zScore?.toDecimalPlaces(20).toFixed(20)).toBe(zScore);
  },
);

it('a long position, which pays, has percentile and z-score of the other sign', () => {
  const series = toSeries(Array.from({ length: 100 }, (_, at) => printAt(at, at === 99 ? '0.0009' : '0.0001')));
  const standing = rankWindow(series, intervals(99, 100), intervals(0, 100));
  expect([toPercentile(standing, 'market')?.toFixed(), toPercentile(standing, 'long')?.toFixed()]).toEqual([
    '0.995',
    '0.005',
  ]);
  expect(toSideZScore(standing, 'market')?.toFixed(4)).toBe('9.9000');
  expect(toSideZScore(standing, 'long')?.toFixed(4)).toBe('-9.9000');
});

it('there is no z-score where all means are equal, and nothing where the window has a gap', () => {
  const flat = Array.from({ length: 100 }, (_, at) => printAt(at, '0.0001'));
  expect(rankWindow(toSeries(flat), intervals(79, 100), intervals(0, 100))).toMatchObject({
    intervals: 80,
    equal: 80,
    zScore: null,
  });
  expect(rankWindow(toSeries(flat.toSpliced(90, 1)), intervals(79, 100), intervals(0, 100))).toBeNull();
});
