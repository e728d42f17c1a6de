import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import { formatMissing, formatNumber, NO_VALUE } from '../../format/number.ts';
import type { DepthLevel } from '../../orders/order-depth.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import { type OrderTerms, whyInDoubt } from '../../orders/order-terms.ts';
import type { Decimal } from '../../units/decimal.ts';
import type { Quantity } from '../../units/quantity.ts';

/** A space as wide as a digit. */
const DIGIT_SPACE = '\u2007';
const LEAST_DIGITS = 2;
/** Shown if a value was impossible, or the tick size check failed or has no result yet. */
export const NOT_AVAILABLE = 'n/a';

interface UsdFormat {
  readonly digits: number;
  /** The most fraction digits in the column. */
  readonly mostDigits?: number;
}

/** Formats a price or amount for a cell. Without a tick size it stays in ticks, which the text names. */
export function formatUsd({ value, unit, withheld }: Quantity, { digits, mostDigits = 0 }: UsdFormat): string {
  if (withheld !== null) return NOT_AVAILABLE;
  if (value === null) return NO_VALUE + fill(mostDigits);
  if (unit === 'ticks') return `${formatNumber(value)} ticks`;
  return formatNumber(value, { digits }) + fill(mostDigits - digits);
}

/** Formats a sum in USD. One that may still follow looks different from one that is missing. */
export function formatUsdSum(sum: Decimal | null, isPending: boolean): string {
  return sum === null ? formatMissing(isPending) : formatNumber(sum, { digits: 2 });
}

export function formatContracts({ value, withheld }: Quantity): string {
  return withheld === null ? formatNumber(value) : NOT_AVAILABLE;
}

/** Formats a price in USD if known, else in ticks, as the heading says. */
export function formatLevelPrice({ ticks, price }: DepthLevel, digits: number): string {
  return price.value === null || price.unit === 'ticks'
    ? formatNumber(ticks, { digits: 0 })
    : formatUsd(price, { digits });
}

function fill(digits: number): string {
  return DIGIT_SPACE.repeat(Math.max(0, digits));
}

export function isWithheld({ conversion }: OrderTerms): boolean {
  return conversion !== null && conversion.withheld !== null;
}

/** Returns the fraction digits of the most precise product in the list. */
export function countMostDigits(rows: readonly OrderRow[]): number {
  let most = LEAST_DIGITS;
  for (const { terms } of rows) most = Math.max(most, terms.digits);
  return most;
}

/** Returns the word in a price cell, if any. It replaces the figure or follows it. */
export function toFigureWord(row: OrderRow, field: 'price' | 'avg_price'): string {
  if (isPriceWithheld(row, field)) return NOT_AVAILABLE;
  return row.order[field] === null || row.terms.usdPerTick !== null ? '' : 'ticks';
}

/** Whether the exchange sent a price that is not shown. */
export function isPriceWithheld({ order, terms }: OrderRow, field: 'price' | 'avg_price'): boolean {
  if (order[field] === null) return findWithheldReason(order, field) !== null;
  return isWithheld(terms) || (field === 'avg_price' && whyInDoubt(terms, field) !== null);
}
