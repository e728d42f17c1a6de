import { describe, expect, it } from 'vitest';
import {
  addSample,
  estimateRate,
  firstFundingWindow,
  fundingWindowAt,
  NO_SAMPLES,
  premiumOf,
  sampleInstant,
  samplesDue,
  settleRate,
} from './funding.ts';

const at = (iso: string): number => Date.parse(iso) * 1000;
const HOUR = 3_600_000_000;

const constant = (premium: number, samples = 1920) => {
  let progress = NO_SAMPLES;
  for (let i = 1; i <= samples; i += 1) progress = addSample(progress, i, premium);
  return progress;
};

describe('the premium', () => {
  it('is how far the mean bid is above the index, or the mean ask below it', () => {
    expect(premiumOf(101, 103, 100)).toBe(0.01);
    expect(premiumOf(97, 99, 100)).toBe(-0.01);
    expect(premiumOf(99, 101, 100)).toBe(0);
  });

  it('ignores an empty side', () => {
    expect(premiumOf(101, null, 100)).toBe(0.01);
    expect(premiumOf(null, 99, 100)).toBe(-0.01);
    expect(premiumOf(null, 101, 100)).toBe(0);
  });

  it('is carried forward for an empty book', () => {
    expect(premiumOf(null, null, 100, 0.002)).toBe(0.002);
    expect(premiumOf(null, null, 100)).toBe(0);
  });

  it('is rounded to 1e-10, and never minus zero', () => {
    expect(premiumOf(100.5, 101, 99.7)).toBe(0.0080240722);
    expect(premiumOf(1, 99.9999999999, 100)).toBe(0);
  });

  it('needs an index', () => {
    expect(() => premiumOf(1, 2, 0)).toThrow('index 0');
    expect(() => premiumOf(1, 2, NaN)).toThrow('index NaN');
  });
});

describe('the settled rate', () => {
  it('is the interest rate where the premium is near it', () => {
    expect(settleRate(constant(0))).toBe(0.0001);
    expect(settleRate(constant(0.0006))).toBe(0.0001);
    expect(settleRate(constant(-0.0004))).toBe(0.0001);
  });

  it('follows the premium at a distance of 0.0005 beyond', () => {
    expect(settleRate(constant(0.00061))).toBe(0.00011);
    expect(settleRate(constant(0.01))).toBe(0.0095);
    expect(settleRate(constant(-0.00041))).toBe(0.00009);
    expect(settleRate(constant(-0.01))).toBe(-0.0095);
  });

  it('weighs sample i by i: 1,844,160 in all', () => {
    const last = addSample(constant(0, 1919), 1920, 1);
    expect(last.weight).toBe(1_844_160);
    expect(settleRate(last)).toBe(Math.round((1920 / 1_844_160 - 0.0005) * 1e8) / 1e8);
    const first = addSample(addSample(NO_SAMPLES, 1, 1), 2, 0);
    // 1 / 1,844,160 is far within the clamp.
    expect(settleRate(first)).toBe(0.0001);
  });

  it('rounds once, half away from zero, to 1e-8', () => {
    expect(settleRate(constant(0.000610005))).toBe(0.00011001);
    expect(settleRate(constant(0.0006100049))).toBe(0.00011);
    expect(settleRate(constant(-0.000610005))).toBe(-0.00011001);
    expect(settleRate(constant(-0.0006100049))).toBe(-0.00011);
  });

  it('carries the last premium forward where samples are missing', () => {
    const holes = addSample(addSample(NO_SAMPLES, 1, 0.002), 960, 0.001);
    let carried = NO_SAMPLES;
    for (let i = 1; i <= 1920; i += 1) carried = addSample(carried, i, i < 960 ? 0.002 : 0.001);
    expect(settleRate(holes)).toBe(settleRate(carried));
    expect(settleRate(addSample(NO_SAMPLES, 1920, 0.002))).toBe(0.0015);
  });

  it('is null without any sample', () => {
    expect(settleRate(NO_SAMPLES)).toBeNull();
  });
});

describe('the predicted rate', () => {
  it('weighs the samples so far, and becomes the settled rate', () => {
    const early = addSample(addSample(NO_SAMPLES, 1, 0.001), 2, 0.004);
    expect(estimateRate(early)).toBe(0.0025);
    const all = constant(0.0012345678);
    expect(estimateRate(all)).toBe(settleRate(all));
  });

  it('is the interest rate before the first sample', () => {
    expect(estimateRate(NO_SAMPLES)).toBe(0.0001);
  });

  it.each([
    [3, 3],
    [3, 2],
    [3, 1921],
    [0, 0],
  ])('refuses, after sample %i, sample %i', (last, i) => {
    const progress = last === 0 ? NO_SAMPLES : addSample(NO_SAMPLES, last, 0);
    expect(() => addSample(progress, i, 0)).toThrow(RangeError);
  });
});

describe('intervals', () => {
  it.each([
    ['2026-08-17T00:00:00Z', '2026-08-17T00:00:00Z'],
    ['2026-08-17T07:59:59.999Z', '2026-08-17T00:00:00Z'],
    ['2026-08-17T08:00:00Z', '2026-08-17T08:00:00Z'],
    ['2026-08-17T23:59:59.999Z', '2026-08-17T16:00:00Z'],
    ['2026-03-08T08:00:00Z', '2026-03-08T08:00:00Z'],
    ['2026-11-01T07:00:00Z', '2026-11-01T00:00:00Z'],
  ])('%s is in the one that begins at %s, daylight saving or not', (instant, start) => {
    expect(fundingWindowAt(at(instant))).toEqual({ start: at(start), end: at(start) + 8 * HOUR });
  });

  it('begin with the first whole one for a new product', () => {
    expect(firstFundingWindow(at('2026-08-17T08:00:00Z')).start).toBe(at('2026-08-17T08:00:00Z'));
    expect(firstFundingWindow(at('2026-08-17T08:00:00Z') + 1).start).toBe(at('2026-08-17T16:00:00Z'));
    expect(firstFundingWindow(at('2026-08-17T21:00:00Z')).start).toBe(at('2026-08-18T00:00:00Z'));
  });

  it('take a sample every 15 seconds, the last one when they end', () => {
    const start = at('2026-08-17T08:00:00Z');
    expect(sampleInstant(start, 1)).toBe(at('2026-08-17T08:00:15Z'));
    expect(sampleInstant(start, 1920)).toBe(at('2026-08-17T16:00:00Z'));
    expect(
      [-1, 0, 14_999_999, 15_000_000, 8 * HOUR - 1, 8 * HOUR, 9 * HOUR].map((after) =>
        samplesDue(start, start + after),
      ),
    ).toEqual([0, 0, 0, 1, 1919, 1920, 1920]);
  });
});
