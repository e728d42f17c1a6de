import { formatNumber, NO_VALUE } from '#domain/format-number.ts';
import type { DepthLevel } from '#domain/orders/order-depth.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import type { OrderTerms } from '#domain/orders/order-terms.ts';
import type { Quantity } from '#domain/quantity.ts';

/** A space as wide as a digit; it is not read out. */
const DIGIT_SPACE = '\u2007';
const LEAST_DIGITS = 2;

interface UsdFormat {
  readonly digits: number;
  /** Of the column. */
  readonly mostDigits?: number;
}

/** A figure in USD for a cell: what is withheld says so, and what has no increment stays in ticks, with the word. */
export function formatUsd({ value, unit, withheld }: Quantity, { digits, mostDigits = 0 }: UsdFormat): string {
  if (withheld !== null) return 'withheld';
  if (value === null) return NO_VALUE + fill(mostDigits);
  if (unit === 'ticks') return `${formatNumber(value)} ticks`;
  return formatNumber(value, { digits }) + fill(mostDigits - digits);
}

/** In USD where it is known, else in ticks, which the head says. */
export function formatLevelPrice({ ticks, price }: DepthLevel, digits: number): string {
  return price.value === null || price.unit === 'ticks' ? formatNumber(ticks, { digits: 0 }) : formatUsd(price, { digits });
}

function fill(digits: number): string {
  return DIGIT_SPACE.repeat(Math.max(0, digits));
}

export function isWithheld({ conversion }: OrderTerms): boolean {
  return conversion !== null && conversion.withheld !== null;
}

/** The most digits that any product of the list needs. */
export function countMostDigits(rows: readonly OrderRow[]): number {
  let most = LEAST_DIGITS;
  for (const { terms } of rows) most = Math.max(most, terms.digits);
  return most;
}

/** The word that stands in a price's cell in place of figures or beside them; empty where there is none. */
export function toFigureWord({ order, terms }: OrderRow, field: 'price' | 'avg_price'): string {
  if (order[field] === null || terms.usdPerTick !== null) return '';
  return isWithheld(terms) ? 'withheld' : 'ticks';
}
