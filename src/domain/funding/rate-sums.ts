import type { FundingRateData } from '#contract/funding.ts';
import { wireText } from '#contract/json-text.ts';
import { toDecimal, type Decimal } from '../decimal.ts';
import { fromRateUnits, toRateUnits } from './rate-units.ts';

/** Sums over any stretch of prints, exact, without going through it. `to` is not included. */
export interface RateSums {
  readonly sum: (from: number, to: number) => Decimal;
  /** Standard deviation of the sample (n - 1), to fifteen digits: it is irrational anyhow. Null for fewer than two. */
  readonly deviation: (from: number, to: number) => Decimal | null;
  /** The sum as a float, to draw: never to compute with. */
  readonly drawn: (from: number, to: number) => number;
}

/** Rates as whole units; null where one of them is none. */
export function toAllUnits(rows: readonly FundingRateData[]): Float64Array | null {
  const all = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) {
    const units = toRateUnits(wireText(row, 'funding_rate'));
    if (units === null) return null;
    all[at] = units;
  }
  return all;
}

const ZERO = toDecimal('0');
const HALF = 2 ** 18;

/** Of whole units. A square is kept in three parts, none of which outgrows what a float holds exactly. */
export function createUnitSums(units: Float64Array): RateSums {
  const size = units.length + 1;
  const [sums, high, middle, low] = [new Float64Array(size), new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  let [sum, highSum, middleSum, lowSum] = [0, 0, 0, 0];
  for (let at = 0; at < units.length; at += 1) {
    const value = units[at] ?? 0;
    const upper = Math.floor(value / HALF);
    const lower = value - upper * HALF;
    sums[at + 1] = sum += value;
    high[at + 1] = highSum += upper * upper;
    middle[at + 1] = middleSum += upper * lower;
    low[at + 1] = lowSum += lower * lower;
  }
  const between = (parts: Float64Array, from: number, to: number): number => (parts[to] ?? 0) - (parts[from] ?? 0);
  return {
    sum: (from, to) => fromRateUnits(between(sums, from, to)),
    drawn: (from, to) => between(sums, from, to) / 1e12,
    deviation: (from, to) => {
      const count = to - from;
      if (count < 2) return null;
      const part = (parts: Float64Array): bigint => BigInt(between(parts, from, to));
      const squares = (part(high) << 36n) + (part(middle) << 19n) + part(low);
      // Subtracted exactly, since the two are nearly equal where rates hardly vary; only the root is rounded.
      const spread = BigInt(count) * squares - part(sums) ** 2n;
      return fromRateUnits(Math.sqrt(Number(spread) / (count * (count - 1))));
    },
  };
}

/** Of rates that no whole units hold. */
export function createDecimalSums(rates: readonly Decimal[]): RateSums {
  const [sums, squares] = [[ZERO], [ZERO]];
  for (const [at, rate] of rates.entries()) {
    sums.push((sums[at] ?? ZERO).plus(rate));
    squares.push((squares[at] ?? ZERO).plus(rate.times(rate)));
  }
  const between = (all: readonly Decimal[], from: number, to: number): Decimal => (all[to] ?? ZERO).minus(all[from] ?? ZERO);
  return {
    sum: (from, to) => between(sums, from, to),
    deviation: (from, to) => {
      const count = to - from;
      return count < 2 ? null : between(squares, from, to).minus(between(sums, from, to).pow(2).div(count)).div(count - 1).sqrt();
    },
    drawn: (from, to) => between(sums, from, to).toNumber(),
  };
}
