import type { Quantity, QuantityUnit } from '../units/quantity.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';

/** Stands for a missing value, which is never zero. */
export const NO_VALUE = '–';
const MINUS = '−';

/** Shows a value that may still arrive differently from one that is missing. */
export function formatMissing(isPending: boolean): string {
  return isPending ? '…' : NO_VALUE;
}

export interface NumberFormat {
  /** Fraction digits; by default, those of the number itself. */
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

/** Formats a fraction as percent, without the percent sign: the header has the unit. */
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

/** Formats in three to six characters, for axes and totals: `1.23 M`. The tooltip shows the exact number. */
export function formatCompact(value: Decimal | null): string {
  if (value === null) return NO_VALUE;
  const shown = value.abs().toSignificantDigits(3);
  const scale = SCALES.find(({ least }) => shown.gte(least));
  const number = scale ? shown.div(scale.least) : shown;
  const text = signOf(value, false) + number.toSignificantDigits(3).toFixed();
  return scale ? `${text} ${scale.letter}` : text;
}

/**
 * Counts the fraction digits of a decimal text without trailing zeros: `87500.5000` has one.
 *
 * @internal Exported for its test.
 */
export function countFractionDigits(text: string): number {
  if (text.includes('e') || text.includes('E')) return toDecimal(text).decimalPlaces();
  const point = text.indexOf('.');
  if (point < 0) return 0;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return end - point - 1;
}

/** Counts the fraction digits of the most precise number in a column, so that decimal points align. */
export function commonFractionDigits(texts: Iterable<string>, most = 10): number {
  let digits = 0;
  for (const text of texts) digits = Math.max(digits, countFractionDigits(text));
  return Math.min(digits, most);
}

/** Units, for column headers. */
export const UNIT_NAMES: Readonly<Record<QuantityUnit, string>> = {
  'USD': 'USD',
  'contracts': 'contracts',
  'ticks': 'ticks',
  'per interval': '% per 8 h',
  'fraction': '%',
};

/** Formats the number without its unit, for a cell whose header has the unit. */
export function formatQuantity({ value, unit }: Pick<Quantity, 'value' | 'unit'>, format: NumberFormat = {}): string {
  switch (unit) {
    case 'per interval':
      return formatRate(value);
    case 'fraction':
      return formatNumber(value?.times(100) ?? null, { digits: 2, signed: true, ...format });
    case 'contracts':
      return formatNumber(value, { digits: 0, ...format });
    case 'USD':
    case 'ticks':
      return formatNumber(value, format);
  }
}

/** Formats the number with its unit, for text and screen readers. */
export function describeQuantity(
  quantity: Pick<Quantity, 'value' | 'unit' | 'withheld'>,
  format: NumberFormat = {},
): string {
  if (quantity.withheld !== null) return `n/a: ${quantity.withheld}`;
  const text = formatQuantity(quantity, format);
  return text === NO_VALUE ? 'no value' : `${text} ${UNIT_NAMES[quantity.unit]}`;
}

const CENTS = 2;
/** The chart's prices have this many. */
const MOST = 10;
/** Floats are exact to this many digits; any others are artefacts of a calculation. */
const SIGNIFICANT = 15;

/**
 * Counts the fraction digits of a product's USD prices: those of the most precise price, at least two. Null: withheld.
 */
export function countPriceDigits(usd: readonly (string | null)[]): number {
  let digits = CENTS;
  for (const text of usd) if (text !== null) digits = Math.max(digits, countFractionDigits(text));
  return Math.min(digits, MOST);
}

/**
 * Counts the fraction digits of prices that are whole ticks, from the tick size. `0.21000000000000002` counts as two.
 */
export function countTickDigits(tickSize: string): number {
  const meant = Number(Number(tickSize).toPrecision(SIGNIFICANT));
  return Math.min(MOST, Math.max(CENTS, countFractionDigits(String(meant))));
}
