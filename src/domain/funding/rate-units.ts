import { toDecimal, type Decimal } from '../decimal.ts';

/**
 * Rates as whole numbers of 1e-12, so that ninety thousand of them are added up as fast as floats are, and exactly. A rate
 * that is no such whole number, or too large to be squared without loss, has none: sums with it are made of decimals.
 */

/** So many of them are one. */
const UNITS = 1e12;
/** A square then fits three whole numbers that may be added up a hundred thousand times: a century of prints. */
const LARGEST = 2 ** 36;
/** A sign or a point, and so few digits that a float tells each such text from every other. */
const LONGEST = 17;

/** The rate that a text on the wire names, in whole units; null where it has to stay a decimal. */
export function toRateUnits(text: string): number | null {
  if (text.length > LONGEST) return null;
  const value = Number(text);
  const units = Math.round(value * UNITS);
  return units / UNITS === value && Math.abs(units) < LARGEST ? units + 0 : null;
}

/** What a count of units stands for. */
export function fromRateUnits(units: number): Decimal {
  return toDecimal(`${String(units)}e-12`);
}
