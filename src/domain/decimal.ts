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

/** Orders plain decimal texts by their value, exactly, without making numbers of them: charts have thousands. */
export function compareDecimalTexts(a: string, b: string): number {
  // Rounding never turns an order round: only what a float cannot tell apart is held against each other digit by digit.
  const rounded = Number(a) - Number(b);
  if (rounded !== 0) return rounded;
  const [left, right] = [toParts(a), toParts(b)];
  if (left.sign !== right.sign) return left.sign - right.sign;
  return left.sign * compareMagnitudes(left, right);
}

interface Parts {
  readonly sign: -1 | 0 | 1;
  readonly whole: string;
  readonly fraction: string;
}

function toParts(text: string): Parts {
  const negative = text.startsWith('-');
  const [integer = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const whole = integer.replace(/^0+/, '');
  const isZero = whole === '' && /^0*$/.test(fraction);
  return { sign: isZero ? 0 : negative ? -1 : 1, whole, fraction };
}

function compareMagnitudes(a: Parts, b: Parts): number {
  if (a.whole.length !== b.whole.length) return a.whole.length - b.whole.length;
  if (a.whole !== b.whole) return a.whole < b.whole ? -1 : 1;
  const digits = Math.max(a.fraction.length, b.fraction.length);
  const [left, right] = [a.fraction.padEnd(digits, '0'), b.fraction.padEnd(digits, '0')];
  return left < right ? -1 : left > right ? 1 : 0;
}
