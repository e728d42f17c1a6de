import { describe, expect, it } from 'vitest';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { createFundingSeries } from '../../funding/funding-series.ts';
import type { ChartData } from '../chart-data.ts';
import { type ChartInterval, toChartIntervals } from '../funding/rate-chart.ts';
import numbers from './indicator-numbers.json' with { type: 'json' };
import { readIndicators, RATE_INDICATORS } from './indicator-spec.ts';
import { fromFixed } from './fixed-point.ts';
import { computeRateIndicators, describeRateIndicators, toRateColumns, withRateIndicators } from './rate-indicators.ts';

/** Null: the interval has no settled rate. */
function toIntervals(rates: readonly (string | null)[]): readonly ChartInterval[] {
  const prints = toWirePrints(rates.flatMap((rate, at) => (rate === null ? [] : [printAt(at, rate)])));
  const series = createFundingSeries({ prints, knownFrom: null, reachesLaunch: false });
  return toChartIntervals(series, Date.parse(fundingTimeAt(0)));
}

function compute(words: readonly string[], rates: readonly (string | null)[], side: 'market' | 'long' = 'market') {
  return computeRateIndicators(toIntervals(rates), readIndicators(words, RATE_INDICATORS).specs, side);
}

const textsOf = (word: string, rates: readonly (string | null)[], side?: 'long') =>
  compute([word], rates, side)[0]?.values.map((value) => value && fromFixed(value).toFixed());

describe('indicators of settled rates', () => {
  it.each([
    ['mean:21', 20],
    ['sum', 0],
  ] as const)('are those that Python computes: %s', (word, first) => {
    const texts = textsOf(word, numbers.rates) ?? [];
    expect(texts.findIndex((text) => text !== null)).toBe(first);
    const wanted = numbers[word];
    expect(texts).toHaveLength(wanted.length);
    texts.forEach((text, index) => {
      expect(text === null ? null : Number(text)).toBe(wanted[index] === null ? null : Number(wanted[index]));
    });
  });

  const missing = ['0.0001', '0.0003', null, '0.0002', '0.0004'];

  it('have no mean across a missing interval, and leave it out of a sum', () => {
    expect(textsOf('mean:2', missing)).toEqual([null, '0.0002', null, null, '0.0003']);
    expect(textsOf('sum', missing)).toEqual(['0.0001', '0.0004', null, '0.0006', '0.001']);
  });

  it('have the sign of the side', () => {
    expect(textsOf('sum', ['0.0001', '0.0003'], 'long')).toEqual(['-0.0001', '-0.0004']);
  });

  it('name the figures that have no value, with the reason', () => {
    const bare: ChartData = { times: [1, 2, 3, 4, 5], timeName: '', timeText: () => '', panes: [], readouts: [] };
    const indicators = compute(['mean:2', 'sum'], missing);
    const { readouts, panes } = withRateIndicators(bare, indicators, {
      toDrawn: (rate) => rate,
      isHidden: () => false,
    });
    expect(readouts.map(({ text }) => text(2))).toEqual(['–', '–']);
    expect(readouts.map(({ explain }) => explain?.(2)[0]?.value)).toEqual([
      'Fewer than 2 settled rates in a row end here.',
      'This interval has no valid settled rate.',
    ]);
    expect(panes.map(({ name }) => name)).toEqual(['Cumulative sum']);
    expect(describeRateIndicators(compute(['mean:3'], missing))).toEqual([
      'Mean 3 needs 3 settled rates in a row. Choose a longer range.',
    ]);
    const { heading, cells } = toRateColumns(indicators);
    expect([heading, cells(1), cells(2)]).toEqual([
      ['mean_2_per_8h_fraction', 'cumulative_sum_fraction'],
      [{ digits: '0.0002' }, { digits: '0.0004' }],
      [null, null],
    ]);
  });
});
