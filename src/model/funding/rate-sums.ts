import type { FundingRateData } from '#contract/exchange/funding.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';

/** Exact sums over any range of rates in constant time. `to` is exclusive. */
export interface RateSums {
  readonly sum: (from: number, to: number) => Decimal;
  /** Standard deviation of the sample (n − 1), to fifteen digits. Null for fewer than two rates. */
  readonly standardDeviation: (from: number, to: number) => Decimal | null;
  /** The sum as a float, for charts only. */
  readonly drawn: (from: number, to: number) => number;
}

/** The rates in whole units, which can be summed as floats exactly; null if one of them has none. */
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

/** Sums of whole units. Squares are summed in three parts that a float holds exactly. */
export function createUnitSums(units: Float64Array): RateSums {
  const size = units.length + 1;
  const [sums, high, middle, low] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ];
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
    standardDeviation: (from, to) => {
      const count = to - from;
      if (count < 2) return null;
      const part = (parts: Float64Array): bigint => BigInt(between(parts, from, to));
      const squares = (part(high) << 36n) + (part(middle) << 19n) + part(low);
      // Exact, since the two are nearly equal where rates hardly vary; only the root is rounded.
      const difference = BigInt(count) * squares - part(sums) ** 2n;
      return fromRateUnits(Math.sqrt(Number(difference) / (count * (count - 1))));
    },
  };
}

/** Sums of rates that whole units cannot hold. */
export function createDecimalSums(rates: readonly Decimal[]): RateSums {
  const [sums, squares] = [[ZERO], [ZERO]];
  for (const [at, rate] of rates.entries()) {
    sums.push((sums[at] ?? ZERO).plus(rate));
    squares.push((squares[at] ?? ZERO).plus(rate.times(rate)));
  }
  const between = (all: readonly Decimal[], from: number, to: number): Decimal =>
    (all[to] ?? ZERO).minus(all[from] ?? ZERO);
  return {
    sum: (from, to) => between(sums, from, to),
    standardDeviation: (from, to) => {
      const count = to - from;
      return count < 2
        ? null
        : between(squares, from, to)
            .minus(between(sums, from, to).pow(2).div(count))
            .div(count - 1)
            .sqrt();
    },
    drawn: (from, to) => between(sums, from, to).toNumber(),
  };
}

/** A rate is counted in units of 1e-12. */
const UNITS = 1e12;
/** Its square then fits three integers that can be summed a hundred thousand times: a century of funding. */
const LARGEST = 2 ** 36;
/** A sign or a point, and few enough digits for a float to distinguish any two of these texts. */
const LONGEST = 17;

/** A rate in whole units of 1e-12; null if it is not a multiple of one, or too large to be squared exactly. */
function toRateUnits(text: string): number | null {
  if (text.length > LONGEST) return null;
  const value = Number(text);
  const units = Math.round(value * UNITS);
  return units / UNITS === value && Math.abs(units) < LARGEST ? units + 0 : null;
}

function fromRateUnits(units: number): Decimal {
  return toDecimal(`${String(units)}e-12`);
}
