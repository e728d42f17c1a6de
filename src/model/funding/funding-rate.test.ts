import { describe, expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import {
  findInProgress,
  toApr,
  toAprOfSum,
  toApy,
  toIntervalProgress,
  toNextInterval,
  type OtherRate,
  whyDoubtful,
} from './funding-rate.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import fc from 'fast-check';
import type { Instant } from '#contract/exchange/instant.ts';
import numbers from '../checked-numbers.json' with { type: 'json' };

const published = (funding_rate: number, interval_start: string, interval_end: string) =>
  ({ product_id: 5599, funding_rate, interval_start, interval_end }) as unknown as FundingRateData;
const midnight = '2026-08-17T00:00:00Z';
const other = (funding_rate: number, interval_end: string) =>
  [{ product_id: 5599, interval_end, funding_rate }] as unknown as readonly OtherRate[];

it.each([
  ['0.75 %', published(-0.0075, midnight, '2026-08-17T08:00:00.000000Z'), [], null],
  ['beyond 0.75 %', published(-0.01, midnight, '2026-08-17T08:00:00Z'), [], 'beyond ±0.75 % per 8 h'],
  [
    '4 h',
    published(0.0001, '2026-08-17T04:00:00Z', '2026-08-17T08:00:00Z'),
    [],
    'not of 8 h between two funding times',
  ],
  [
    'an hour early',
    published(0.0001, '2026-08-16T23:00:00Z', '2026-08-17T07:00:00Z'),
    [],
    'not of 8 h between two funding times',
  ],
  [
    'a nanosecond short',
    published(0.0001, midnight, '2026-08-17T07:59:59.999999999Z'),
    [],
    'not of 8 h between two funding times',
  ],
  [
    'two rates',
    published(0.0001, midnight, '2026-08-17T08:00:00Z'),
    other(0.0007, '2026-08-17T08:00:00.000000000Z'),
    'also published as +0.0700 %',
  ],
  [
    'one rate written twice',
    published(0.0001, midnight, '2026-08-17T08:00:00Z'),
    other(1e-4, '2026-08-17T08:00:00Z'),
    null,
  ],
  [
    'two rates of an earlier interval',
    published(0.0001, midnight, '2026-08-17T08:00:00Z'),
    other(0.0007, midnight),
    null,
  ],
])('tells whether a rate is doubtful: %s', (_, row, others, doubt) => {
  expect(whyDoubtful(row, others)).toBe(doubt);
});

const interval = (start: string, end: string) => ({ interval_start: start as Instant, interval_end: end as Instant });
const usual = interval('2026-08-17T00:00:00Z', '2026-08-17T08:00:00.000000Z');

describe('annualised funding', () => {
  it.each(numbers.rates)('$rate per interval is APR $apr, APY $apy', ({ rate, apr, apy }) => {
    expect(toApr(toDecimal(rate), usual)?.toFixed()).toBe(toDecimal(apr).toFixed());
    expect(toApy(toDecimal(rate), usual)?.toFixed(30)).toBe(apy);
  });

  it('is exactly 10.95 % for one basis point', () => {
    expect(toApr(toDecimal('0.0001'), usual)?.times(100).toFixed()).toBe('10.95');
  });

  it.each([
    interval('2026-08-17T00:00:00Z', '2026-08-17T04:00:00Z'),
    interval('2026-08-17T00:00:00Z', '2026-08-17T08:00:00.000000001Z'),
    interval('2026-08-17T08:00:00Z', '2026-08-17T00:00:00Z'),
    interval('once', '2026-08-17T08:00:00Z'),
  ])('is null for an interval that is not eight hours long: %o', (other) => {
    expect(toApr(toDecimal('0.0001'), other)).toBeNull();
    expect(toApy(toDecimal('0.0001'), other)).toBeNull();
  });

  it('of a sum is that of the mean', () => {
    expect(toAprOfSum(toDecimal('0.0003'), 3)?.toFixed()).toBe('0.1095');
    expect(toAprOfSum(toDecimal('0'), 0)).toBeNull();
  });
});

describe('the current interval', () => {
  const at = (text: string) => toIntervalProgress(usual, Date.parse(text));

  it('has a quarter of its weight halfway, since later samples weigh more', () => {
    expect(at('2026-08-17T04:00:00Z')).toEqual({
      elapsed: 0.5,
      weight: 0.25,
      secondsLeft: 4 * 3_600,
      isOver: false,
      isAhead: false,
    });
    expect(at('2026-08-17T06:00:00Z')?.weight).toBe(0.5625);
  });

  it('is clamped to its start and end', () => {
    expect(at('2026-08-16T00:00:00Z')).toEqual({
      elapsed: 0,
      weight: 0,
      secondsLeft: 32 * 3_600,
      isOver: false,
      isAhead: true,
    });
    expect(at('2026-08-18T00:00:00Z')).toEqual({
      elapsed: 1,
      weight: 1,
      secondsLeft: -16 * 3_600,
      isOver: true,
      isAhead: false,
    });
  });

  it('follows the last settled rate at once; a later settled rate replaces a prediction', () => {
    const [next, after] = [
      interval('2026-08-17T08:00:00.000000Z', '2026-08-17T16:00:00Z'),
      interval('2026-08-17T16:00:00Z', '2026-08-18T00:00:00Z'),
    ];
    expect([toNextInterval(usual), toNextInterval(next)]).toEqual([next, after]);
    expect(toNextInterval(interval('2026-08-17T04:00:00Z', '2026-08-17T08:00:00Z'))?.interval_end).toBe(
      '2026-08-17T12:00:00Z',
    );
    expect(toNextInterval(interval('once', 'twice'))).toBeNull();
    expect([findInProgress(next, null), findInProgress(after, next)]).toEqual([next, after]);
  });

  it('is that of the predicted rate until it is settled', () => {
    const short = interval('2026-08-17T08:00:00Z', '2026-08-17T12:00:00Z');
    expect(findInProgress(toNextInterval(usual), short)).toBe(short);
    expect([findInProgress(null, short), findInProgress(null, null)]).toEqual([short, null]);
  });

  it('locks in by the exchange’s weights: sample i of 1,920 has weight i', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_920 }), (samples) => {
        const fixed = (samples * (samples + 1)) / (1_920 * 1_921);
        const progress = toIntervalProgress(usual, Date.parse('2026-08-17T00:00:00Z') + samples * 15_000);
        expect(Math.abs((progress?.weight ?? 1) - fixed)).toBeLessThan(0.0003);
      }),
    );
  });
});
