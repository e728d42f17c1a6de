import DecimalLight from 'decimal.js-light';

/** Exact decimal arithmetic: sums and products are exact, and divisions keep 60 digits. */
export const Decimal = DecimalLight.clone({
  precision: 60,
  rounding: DecimalLight.ROUND_HALF_UP,
  toExpNeg: -100,
  toExpPos: 100,
});
export type Decimal = DecimalLight;

/** Parses a decimal text from the wire. Throws for any other text, which the parser has already rejected. */
export function toDecimal(text: string): Decimal {
  return new Decimal(text);
}

/** Adds values exactly; null, which is not zero, without any value. */
export function sumOf(values: Iterable<Decimal | null>): Decimal | null {
  let sum: Decimal | null = null;
  for (const value of values) if (value !== null) sum = sum === null ? value : sum.plus(value);
  return sum;
}

/** Compares decimal texts exactly, usually without creating decimals. */
export function compareDecimalTexts(a: string, b: string): number {
  const [left, right] = [Number(a), Number(b)];
  // Rounding to floats may make two values equal but never reverses their order.
  return left === right ? toDecimal(a).comparedTo(b) : left - right;
}
