import { Decimal, toDecimal } from '../units/decimal.ts';

/** Shown for no value, which is never zero. */
export const NO_VALUE = '–';
const MINUS = '−';

export interface NumberFormat {
  /** Fraction digits; by default those of the number. */
  readonly digits?: number | undefined;
  /** Adds a plus sign to positive numbers, for changes. */
  readonly signed?: boolean | undefined;
}

/** Formats with thousands separators and a typographic minus sign. A number that rounds to zero has no sign. */
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

/** Formats a fraction as percent, without the percent sign: headers have the unit. */
export function formatPercent(fraction: Decimal | null, format: NumberFormat = { digits: 2 }): string {
  return formatNumber(fraction?.times(100) ?? null, format);
}

/** Formats a funding rate in percent with four digits: 0.0001 is 0.0100. */
export function formatRate(rate: Decimal | null, signed = true): string {
  return formatPercent(rate, { digits: 4, signed });
}

/** Formats a fraction in basis points, hundredths of a percent. */
export function formatBasisPoints(
  fraction: Decimal | null,
  format: NumberFormat = { digits: 2, signed: true },
): string {
  return formatNumber(fraction?.times(10_000) ?? null, format);
}

const SCALES = [
  { least: new Decimal('1e12'), letter: 'T' },
  { least: new Decimal('1e9'), letter: 'B' },
  { least: new Decimal('1e6'), letter: 'M' },
  { least: new Decimal('1e3'), letter: 'K' },
] as const;

/** Formats in three to six characters, for axes and totals: 1.23 M. The exact number belongs in a tooltip. */
export function formatCompact(value: Decimal | null): string {
  if (value === null) return NO_VALUE;
  const shown = value.abs().toSignificantDigits(3);
  const scale = SCALES.find(({ least }) => shown.gte(least));
  const number = scale ? shown.div(scale.least) : shown;
  const text = signOf(value, false) + number.toSignificantDigits(3).toFixed();
  return scale ? `${text} ${scale.letter}` : text;
}

/** Fraction digits of a decimal text, without trailing zeros: `87500.5000` has one. */
export function countFractionDigits(text: string): number {
  if (text.includes('e') || text.includes('E')) return toDecimal(text).decimalPlaces();
  const point = text.indexOf('.');
  if (point < 0) return 0;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return end - point - 1;
}

/** Fraction digits of the most precise number of a column, so that decimal points are aligned. */
export function commonFractionDigits(texts: Iterable<string>, most = 10): number {
  let digits = 0;
  for (const text of texts) digits = Math.max(digits, countFractionDigits(text));
  return Math.min(digits, most);
}
