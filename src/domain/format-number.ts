import { Decimal, toDecimal } from './decimal.ts';

/** There is no figure. Never zero, never empty. */
export const NO_VALUE = '–';
const MINUS = '−';

export interface NumberFormat {
  /** Digits after the point; without it those that the number has. */
  readonly digits?: number | undefined;
  /** Writes a plus before what is above zero, for changes. */
  readonly signed?: boolean | undefined;
}

/** With thousands separated and a true minus sign. What rounds to zero has no sign. */
export function formatNumber(value: Decimal | null, { digits, signed = false }: NumberFormat = {}): string {
  if (value === null) return NO_VALUE;
  const rounded = digits === undefined ? value : value.toDecimalPlaces(digits);
  const [whole = '0', fraction] = rounded.abs().toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return signOf(rounded, signed) + (fraction === undefined ? grouped : `${grouped}.${fraction}`);
}

function signOf(value: Decimal, signed: boolean): string {
  if (value.isZero()) return '';
  if (value.isNegative()) return MINUS;
  return signed ? '+' : '';
}

/** A fraction as percent, without the sign of percent: units stand in headers. */
export function formatPercent(fraction: Decimal | null, format: NumberFormat = { digits: 2 }): string {
  return formatNumber(fraction?.times(100) ?? null, format);
}

/** A funding rate in percent, with four digits: 0.0001 is 0.0100. */
export function formatRate(rate: Decimal | null, signed = true): string {
  return formatPercent(rate, { digits: 4, signed });
}

/** A fraction in basis points, hundredths of a percent. */
export function formatBasisPoints(fraction: Decimal | null, format: NumberFormat = { digits: 2, signed: true }): string {
  return formatNumber(fraction?.times(10_000) ?? null, format);
}

const SCALES = [
  { least: new Decimal('1e12'), letter: 'T' },
  { least: new Decimal('1e9'), letter: 'B' },
  { least: new Decimal('1e6'), letter: 'M' },
  { least: new Decimal('1e3'), letter: 'K' },
] as const;

/** In three to six characters, for axes and totals: 1.23 M. The exact number belongs beside it, on hover. */
export function formatCompact(value: Decimal | null): string {
  if (value === null) return NO_VALUE;
  const shown = value.abs().toSignificantDigits(3);
  const scale = SCALES.find(({ least }) => shown.gte(least));
  const number = scale ? shown.div(scale.least) : shown;
  const text = signOf(value, false) + number.toSignificantDigits(3).toFixed();
  return scale ? `${text} ${scale.letter}` : text;
}

/** Digits after the point that a decimal text needs, zeros at its end not counted: `87500.5000` needs one. */
export function countFractionDigits(text: string): number {
  // A chart has thousands of prices: only what is written with an exponent is worth a number of its own.
  if (text.includes('e') || text.includes('E')) return toDecimal(text).decimalPlaces();
  const point = text.indexOf('.');
  if (point < 0) return 0;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return end - point - 1;
}

/** As many digits for all of a column as the one with the most needs, so that their points stand below each other. */
export function commonFractionDigits(texts: Iterable<string>, most = 10): number {
  let digits = 0;
  for (const text of texts) digits = Math.max(digits, countFractionDigits(text));
  return Math.min(digits, most);
}
