import { formatQuantity } from '../../format/quantity.ts';
import { NO_VALUE, type NumberFormat } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Overdue } from '../../time/overdue.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { GridColumn } from '../grid-column.ts';
import type { MarketColumnId } from './market-params.ts';

export interface MarketColumn extends GridColumn<MarketRow> {
  readonly id: MarketColumnId;
}

type Read = (row: MarketRow) => Quantity | null;

interface FigureOptions {
  readonly read: Read;
  readonly write?: (row: MarketRow, quantity: Quantity) => string;
  readonly format?: NumberFormat;
  /** That the figure is older than it may be, or null. */
  readonly overdue?: (row: MarketRow) => Overdue | null;
  /** Whether the sign is a direction, shown in colour. */
  readonly directed?: boolean;
}

/** The cells of a figure. Where it is withheld they show `n/a`, and the tooltip gives the reason. */
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
