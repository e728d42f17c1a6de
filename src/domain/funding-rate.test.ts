import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/instant.ts';
import numbers from './checked-numbers.json' with { type: 'json' };
import { toDecimal } from './decimal.ts';
import { toApr, toAprOfSum, toApy, toIntervalProgress } from './funding-rate.ts';

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
  ])('is refused for an interval that is not eight hours by its own times: %o', (other) => {
    expect(toApr(toDecimal('0.0001'), other)).toBeNull();
    expect(toApy(toDecimal('0.0001'), other)).toBeNull();
  });

  it('of a sum is that of its mean', () => {
    expect(toAprOfSum(toDecimal('0.0003'), 3)?.toFixed()).toBe('0.1095');
    expect(toAprOfSum(toDecimal('0'), 0)).toBeNull();
  });
});

describe('the interval in progress', () => {
  const at = (text: string) => toIntervalProgress(usual, Date.parse(text));

  it('has a quarter of its rate fixed half-way, since later samples weigh more', () => {
    expect(at('2026-08-17T04:00:00Z')).toEqual({ elapsed: 0.5, fixed: 0.25, secondsLeft: 4 * 3_600 });
    expect(at('2026-08-17T06:00:00Z')?.fixed).toBe(0.5625);
  });

  it('is neither before its start nor past its end', () => {
    expect(at('2026-08-16T00:00:00Z')).toEqual({ elapsed: 0, fixed: 0, secondsLeft: 32 * 3_600 });
    expect(at('2026-08-18T00:00:00Z')).toEqual({ elapsed: 1, fixed: 1, secondsLeft: 0 });
  });

  it('fixes what the venue’s weights fix: sample i of 1,920 weighs i', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_920 }), (samples) => {
        const fixed = (samples * (samples + 1)) / (1_920 * 1_921);
        const progress = toIntervalProgress(usual, Date.parse('2026-08-17T00:00:00Z') + samples * 15_000);
        expect(Math.abs((progress?.fixed ?? 1) - fixed)).toBeLessThan(0.0003);
      }),
    );
  });
});
