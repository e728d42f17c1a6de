import { formatQuantity } from '#domain/format-quantity.ts';
import { NO_VALUE, type NumberFormat } from '#domain/format-number.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { GridColumn } from '#ui/grid/grid-column.ts';

export type MarketColumn = GridColumn<MarketRow>;
type Read = (row: MarketRow) => Quantity | null;

interface FigureParts {
  readonly read: Read;
  /** How a value that is there is written. */
  readonly write?: (row: MarketRow, quantity: Quantity) => string;
  readonly format?: NumberFormat;
  /** Whether its sign is a direction. */
  readonly directed?: boolean;
}

/** A figure, its absence, or the word that it is withheld: why is in its note. */
export function figureCells({ read, format, directed = false, write = (_, quantity) => formatQuantity(quantity, format) }: FigureParts): Pick<MarketColumn, 'kind' | 'text' | 'value' | 'tone'> {
  const text = (row: MarketRow): string => {
    const quantity = read(row);
    if (quantity === null) return NO_VALUE;
    return quantity.withheld === null ? write(row, quantity) : 'withheld';
  };
  const tone = (row: MarketRow): string | undefined => {
    const quantity = read(row);
    if (quantity === null) return undefined;
    return quantity.withheld === null ? (directed ? directionOf(quantity) : undefined) : 'attention';
  };
  return { kind: 'number', text, tone, value: (row) => read(row)?.value?.toNumber() ?? null };
}

/** Told by the sign and an arrow as well as by the colour. */
function directionOf({ value }: Quantity): string | undefined {
  if (value === null || value.isZero()) return undefined;
  return value.isNegative() ? 'down' : 'up';
}

export function quiet(): string {
  return 'quiet';
}
