import { describe, expect, it } from 'vitest';
import type { Quantity } from '../units/quantity.ts';
import { toDecimal } from '../units/decimal.ts';
import {
  describeDoubtfulRates,
  findInProgress,
  toApr,
  toAprOfSum,
  toApy,
  toIntervalProgress,
  toNextInterval,
} from './funding-rate.ts';
import fc from 'fast-check';
import type { Instant } from '#contract/exchange/instant.ts';
import numbers from '../checked-numbers.json' with { type: 'json' };

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
