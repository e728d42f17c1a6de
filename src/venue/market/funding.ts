import type { Micros } from '../core/model.ts';

/**
 * Funding of a perpetual, by the published formula. Premiums are kept to 1e-10 and summed as integers, so that a rate
 * can be recomputed from the stored samples to the last digit. A rate is rounded once, half away from zero, to 1e-8.
 */

/** The rate per funding interval of eight hours. */
export const INTEREST_RATE = 0.0001;
export const SAMPLES_PER_INTERVAL = 1920;

const SAMPLE_PERIOD: Micros = 15_000_000;
const INTERVAL: Micros = SAMPLES_PER_INTERVAL * SAMPLE_PERIOD;
const PREMIUM_DIGITS = 1e10;
const RATE_DIGITS = 1e8;
const INTEREST_E10 = 1_000_000n;
const CLAMP_E10 = 5_000_000n;

/** The sums of an interval's samples so far. */
export interface FundingProgress {
  /** The number of the last sample; 0 if there are none. */
  readonly last: number;
  readonly lastE10: bigint;
  /** The sum of number x premium from the first sample, in units of 1e-10. */
  readonly weightedE10: bigint;
  readonly weight: number;
}

export const NO_SAMPLES: FundingProgress = { last: 0, lastE10: 0n, weightedE10: 0n, weight: 0 };

/**
 * Returns the distance of a book from its index: positive if the mean bid is above the index, negative if the mean ask
 * is below it. All prices must be in the same unit. An empty side adds nothing; an empty book carries the previous
 * premium forward.
 */
export function premiumOf(meanBid: number | null, meanAsk: number | null, index: number, carried = 0): number {
  if (!(index > 0)) throw new RangeError(`index ${index}`);
  if (meanBid === null && meanAsk === null) return carried;
  const above = meanBid === null ? 0 : Math.max(0, meanBid - index);
  const below = meanAsk === null ? 0 : Math.max(0, index - meanAsk);
  // Adding zero turns minus zero into zero.
  return Math.round(((above - below) / index) * PREMIUM_DIGITS) / PREMIUM_DIGITS + 0;
}

/** Adds sample `i` of 1 to 1,920. A missed sample counts as the one before it. */
export function addSample(progress: FundingProgress, i: number, premium: number): FundingProgress {
  if (i <= progress.last || i > SAMPLES_PER_INTERVAL) throw new RangeError(`sample ${i} after ${progress.last}`);
  const { weightedE10, weight } = carryTo(progress, i - 1);
  const lastE10 = BigInt(Math.round(premium * PREMIUM_DIGITS));
  return { last: i, lastE10, weightedE10: weightedE10 + BigInt(i) * lastE10, weight: weight + i };
}

/**
 * Returns the predicted rate: the rate if the interval ended with the samples so far. Without samples the premium is
 * zero.
 */
export function estimateRate({ weightedE10, weight }: FundingProgress): number {
  return weight === 0 ? toRate(0n, 1n) : toRate(weightedE10, BigInt(weight));
}

/**
 * Returns the rate of the whole interval. Its last premium is carried forward over missing samples; null if there are
 * none.
 */
export function settleRate(progress: FundingProgress): number | null {
  return progress.last === 0 ? null : estimateRate(carryTo(progress, SAMPLES_PER_INTERVAL));
}

export interface FundingWindow {
  readonly start: Micros;
  readonly end: Micros;
}

/** Returns the interval of an instant: from 00:00, 08:00 or 16:00 UTC (inclusive) to eight hours later (exclusive). */
export function fundingWindowAt(instant: Micros): FundingWindow {
  const start = Math.floor(instant / INTERVAL) * INTERVAL;
  return { start, end: start + INTERVAL };
}

/** Returns the first interval that gets a rate: it begins when the product is listed, or later. */
export function firstFundingWindow(listedAt: Micros): FundingWindow {
  return fundingWindowAt(listedAt + INTERVAL - 1);
}

/** Returns when sample `i` is taken. The last one is taken at the interval's end. */
export function sampleInstant(start: Micros, i: number): Micros {
  return start + i * SAMPLE_PERIOD;
}

/** Returns how many samples of the interval are due at an instant. */
export function samplesDue(start: Micros, instant: Micros): number {
  return Math.min(SAMPLES_PER_INTERVAL, Math.max(0, Math.floor((instant - start) / SAMPLE_PERIOD)));
}

function carryTo(progress: FundingProgress, last: number): FundingProgress {
  if (progress.last === 0) return progress;
  const weight = triangle(last) - triangle(progress.last);
  return {
    last,
    lastE10: progress.lastE10,
    weightedE10: progress.weightedE10 + BigInt(weight) * progress.lastE10,
    weight: progress.weight + weight,
  };
}

/** Returns 1 + 2 + ... + n. */
function triangle(n: number): number {
  return (n * (n + 1)) / 2;
}

/** Returns mean + clamp(interest - mean), where mean = weightedE10 / weight. */
function toRate(weightedE10: bigint, weight: bigint): number {
  const pull = clamp(INTEREST_E10 * weight - weightedE10, CLAMP_E10 * weight);
  return Number(divideHalfAwayFromZero(weightedE10 + pull, weight * 100n)) / RATE_DIGITS;
}

function clamp(value: bigint, bound: bigint): bigint {
  if (value > bound) return bound;
  return value < -bound ? -bound : value;
}

function divideHalfAwayFromZero(value: bigint, divisor: bigint): bigint {
  const size = ((value < 0n ? -value : value) * 2n + divisor) / (2n * divisor);
  return value < 0n ? -size : size;
}
