import { Decimal as DecimalJs } from 'decimal.js';

/** Exact decimal arithmetic: sums and products of what is on the wire lose nothing, a division keeps 60 digits. */
export const Decimal = DecimalJs.clone({
  defaults: true,
  precision: 60,
  rounding: DecimalJs.ROUND_HALF_UP,
  toExpNeg: -100,
  toExpPos: 100,
});
export type Decimal = DecimalJs;

/** The number that a text on the wire names. A text that names none is a defect: parsing has refused it before. */
export function toDecimal(text: string): Decimal {
  return new Decimal(text);
}

/** Exactly added up; null where there is nothing to add, which is not zero. */
export function sumOf(values: Iterable<Decimal | null>): Decimal | null {
  let sum: Decimal | null = null;
  for (const value of values) if (value !== null) sum = sum === null ? value : sum.plus(value);
  return sum;
}

/** Orders decimal texts by their value, exactly, and mostly without making decimals of them: charts have thousands. */
export function compareDecimalTexts(a: string, b: string): number {
  const [left, right] = [Number(a), Number(b)];
  // Rounding to floats may make two values one, but never turns their order round.
  return left === right ? toDecimal(a).comparedTo(b) : left - right;
}
