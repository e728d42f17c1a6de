import { expect, it } from 'vitest';
import { firstOf, PERPETUAL_INDICATORS, PRICE_INDICATORS, readIndicators } from './indicator-spec.ts';

const read = (...words: readonly string[]) => readIndicators(words, PRICE_INDICATORS);

it('reads indicators with their parameters, each once', () => {
  const { specs, problems } = read('sma:20', 'bb:20:2.5', 'macd:12:26:9', 'dd', 'sma:20');
  expect(specs.map(({ name }) => name)).toEqual(['SMA 20', 'Bollinger 20 × 2.5', 'MACD 12/26/9', 'Drawdown']);
  expect(problems).toEqual([]);
  expect(
    PERPETUAL_INDICATORS.map(firstOf).flatMap((word) => readIndicators([word], PERPETUAL_INDICATORS).problems),
  ).toEqual([]);
});

it.each([
  ['vwap:20', 'No indicator “vwap:20” on this chart.'],
  ['funding', 'No indicator “funding” on this chart.'],
  ['sma', 'SMA “sma” is not shown: it is written “sma:20”.'],
  ['sma:1', 'SMA “sma:1” is not shown. Bars must be a whole number from 2 to 400.'],
  ['sma:401', 'SMA “sma:401” is not shown. Bars must be a whole number from 2 to 400.'],
  ['sma:2.5', 'SMA “sma:2.5” is not shown. Bars must be a whole number from 2 to 400.'],
  ['sma:020', 'SMA “sma:020” is not shown. Bars must be a whole number from 2 to 400.'],
  [
    'bb:20:0.25',
    'Bollinger “bb:20:0.25” is not shown. Standard deviations must be a number with at most one decimal from 0.5 to 5.',
  ],
  ['macd:26:12:9', 'MACD “macd:26:12:9” is not shown. The fast average must have fewer bars than the slow one.'],
])('says why %s is not shown', (word, problem) => {
  expect(read(word)).toEqual({ specs: [], problems: [problem] });
});

it('shows eight at most, and names the others', () => {
  const { specs, problems } = read(...Array.from({ length: 9 }, (_, index) => `sma:${String(index + 2)}`));
  expect(specs).toHaveLength(8);
  expect(problems).toEqual(['SMA 10 is not shown: a chart has at most eight indicators.']);
});
