import { type Decimal, toDecimal } from '../../units/decimal.ts';

/**
 * A number in units of 1e-30. Sums are exact; quotients, roots and logarithms are cut off after 30 digits. An indicator
 * over ten years takes tens of thousands of steps, for which decimals are too slow.
 */
export type Fixed = bigint;

const DIGITS = 30;
export const ONE: Fixed = 10n ** 30n;

export function toFixed(text: string): Fixed {
  const plain = text.includes('e') || text.includes('E') ? toDecimal(text).toFixed() : text;
  const [whole = '', fraction = ''] = plain.split('.');
  return BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'));
}

export function fromFixed(value: Fixed): Decimal {
  return toDecimal(`${String(value)}e-${String(DIGITS)}`);
}

/** For drawing only. */
export function toPoint(value: Fixed | null): number | null {
  return value === null ? null : Number(value) / 1e30;
}

export function divide(value: Fixed, by: Fixed): Fixed {
  return (value * ONE) / by;
}

/** Returns the root of a number in units of 1e-60, such as a sum of products, in units of 1e-30. */
export function rootOf(square: bigint): Fixed {
  if (square <= 0n) return 0n;
  let root = BigInt(Math.floor(Math.sqrt(Number(square)))) + 1n;
  for (;;) {
    const next = (root + square / root) / 2n;
    const change = next - root;
    if (change >= -1n && change <= 1n) return floorRoot(square, next);
    root = next;
  }
}

function floorRoot(square: bigint, near: bigint): bigint {
  let root = near;
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
}

/** Returns the natural logarithm of a number above zero, by the series of the inverse hyperbolic tangent. */
export function logarithmOf(value: Fixed): Fixed {
  if (value > 2n * ONE || value * 2n < ONE) return 2n * logarithmOf(rootOf(value * ONE));
  const ratio = divide(value - ONE, value + ONE);
  const square = (ratio * ratio) / ONE;
  let [power, sum] = [ratio, ratio];
  for (let odd = 3n; power !== 0n; odd += 2n) {
    power = (power * square) / ONE;
    sum += power / odd;
  }
  return 2n * sum;
}

/** Returns the sum of each `count` values in a row; null before there are as many. */
export function toRollingSums(values: readonly bigint[], count: number): readonly (bigint | null)[] {
  let sum = 0n;
  return values.map((value, index) => {
    sum += value - (values[index - count] ?? 0n);
    return index < count - 1 ? null : sum;
  });
}
