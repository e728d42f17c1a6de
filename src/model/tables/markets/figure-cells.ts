import { countTickDigits, formatNumber, formatQuantity, NO_VALUE, type NumberFormat } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { Overdue } from '../../time/overdue.ts';
import type { GridColumn } from '../grid.ts';
import type { MarketColumnId } from './market-list.ts';

const LEAST = 2;
const MOST = 8;
/** Significant digits of a price whose tick size is missing or failed the check. */
const SIGNIFICANT = 4;

/**
 * Counts the fraction digits of a product’s prices. They follow its tick size, so that they stay the same from one
 * price to the next.
 */
function countDigits({ product, check, settlement }: Pick<MarketRow, 'product' | 'check' | 'settlement'>): number {
  const tickSize = product.price_increment;
  const isUsable = tickSize !== undefined && check.verdict !== 'off';
  const exponent = settlement?.value?.exponent() ?? 0;
  const digits = isUsable ? countTickDigits(String(tickSize)) : SIGNIFICANT - 1 - exponent;
  return Math.min(MOST, Math.max(LEAST, digits));
}

/**
 * A product priced in millionths of a dollar would make the column wide for all, so its decimal point is not aligned.
 */
const MOST_ALIGNED = 5;

export function countAlignedDigits(rows: readonly MarketRow[]): number {
  return rows.reduce((most, row) => Math.max(most, Math.min(MOST_ALIGNED, countDigits(row))), LEAST);
}

/** A space as wide as a digit, which screen readers skip. */
const DIGIT_SPACE = '\u2007';

/** Formats a price with its product’s digits, padded to those of the column. */
export function formatPrice(row: MarketRow, { value }: Quantity, alignedDigits: number, signed = false): string {
  if (value === null) return NO_VALUE;
  const digits = countDigits(row);
  return formatNumber(value, { digits, signed }) + DIGIT_SPACE.repeat(Math.max(0, alignedDigits - digits));
}

export interface MarketColumn extends GridColumn<MarketRow> {
  readonly id: MarketColumnId;
}

type Read = (row: MarketRow) => Quantity | null;

export interface FigureOptions {
  readonly read: Read;
  readonly write?: (row: MarketRow, quantity: Quantity) => string;
  readonly format?: NumberFormat;
  /** Returns since when the figure is overdue, or that it is older than its column says; null if neither. */
  readonly overdue?: (row: MarketRow) => Overdue | true | null;
  /** Whether the sign is a direction, shown in colour. */
  readonly directed?: boolean;
}

/** Creates the cells of a figure. A withheld figure shows `n/a`, and the tooltip gives the reason. */
export function figureCells({
  read,
  format,
  directed = false,
  overdue = () => null,
  write = (_, quantity) => formatQuantity(quantity, format),
}: FigureOptions): Pick<MarketColumn, 'kind' | 'text' | 'value' | 'tone'> {
  const text = (row: MarketRow): string => {
    const quantity = read(row);
    if (quantity === null) return NO_VALUE;
    return quantity.withheld === null ? write(row, quantity) : 'n/a';
  };
  const tone = (row: MarketRow): string | undefined => {
    const quantity = read(row);
    if (quantity === null) return undefined;
    if (quantity.withheld !== null) return 'attention';
    return overdue(row) !== null ? 'old' : directed ? directionOf(quantity) : undefined;
  };
  return { kind: 'number', text, tone, value: (row) => read(row)?.value?.toNumber() ?? null };
}

function directionOf({ value }: Quantity): string | undefined {
  if (value === null || value.isZero()) return undefined;
  return value.isNegative() ? 'down' : 'up';
}

export function quiet(): string {
  return 'quiet';
}
