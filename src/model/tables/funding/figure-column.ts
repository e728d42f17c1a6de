import { NO_VALUE } from '../../format/number.ts';
import { describeProvenance } from '../../format/provenance.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { CellTooltip } from '../cell-tooltip.ts';
import type { GridColumn } from '../grid-column.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import type { CompareRow } from './compare-row.ts';
import type { RankedRow } from './ranks.ts';

export interface CompareColumn extends GridColumn<RankedRow> {
  readonly explain?: (row: RankedRow) => CellTooltip | null;
}

export type FigureCells = Pick<CompareColumn, 'kind' | 'text' | 'value' | 'explain'>;

/** The cells of a column of figures; `name` heads their tooltips. */
export function figureCells(
  name: string,
  read: (row: CompareRow) => Quantity | null,
  format: (value: Quantity) => string,
): FigureCells {
  const text = (row: CompareRow): string => {
    const quantity = read(row);
    return quantity?.value ? format(quantity) : NO_VALUE;
  };
  return {
    kind: 'number',
    text,
    value: (row) => read(row)?.value?.toNumber() ?? null,
    explain: (row) => toProvenanceTooltip(`${row.symbol} ${name}`, read(row), text(row)),
  };
}

export function toProvenanceTooltip(name: string, quantity: Quantity | null, text: string): CellTooltip | null {
  if (quantity === null) return null;
  return { title: `${name}: ${text}`, facts: describeProvenance(quantity, formatInAllZones) };
}

export function quietTone(): string {
  return 'quiet';
}
