import { toHeatmapStep } from '../../funding/heatmap-cells.ts';
import type { WindowMeasures } from '../../funding/funding-window.ts';
import { NO_VALUE } from '../../format/number.ts';
import { describeProvenance } from '../../format/provenance.ts';
import type { Quantity } from '../../units/quantity.ts';
import type { CellTooltip } from '../cell-tooltip.ts';
import type { GridColumn } from '../grid.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import type { CompareRow, RankedRow } from './compare-row.ts';

export interface CompareColumn extends GridColumn<RankedRow> {
  readonly explain?: (row: RankedRow) => CellTooltip | null;
}

export type FigureCells = Pick<CompareColumn, 'kind' | 'text' | 'value' | 'explain'>;

/** Creates the cells of a column of figures; `name` heads their tooltips, which say why a figure is withheld. */
export function figureCells(
  name: string,
  read: (row: CompareRow) => Quantity | null,
  format: (value: Quantity) => string,
): FigureCells {
  const text = (row: CompareRow): string => {
    const quantity = read(row);
    if (quantity?.value) return format(quantity);
    return typeof quantity?.withheld === 'string' ? 'n/a' : NO_VALUE;
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

/** Explains in headers what the tint of a cell means. */
export const TINT_MEANING =
  'Tint as in the heatmap: orange where longs pay, blue where shorts pay, stronger from 1, 2.5, 5 and ' +
  '10 bp per 8 h; none at the interest rate.';

/**
 * Returns `longs-1` to `longs-4` or `shorts-…`, in the steps of the heatmap. The tone shows who pays under any sign
 * convention.
 */
export function toRateTone(ratePerInterval: number | null): string | undefined {
  if (ratePerInterval === null) return undefined;
  const { strength } = toHeatmapStep(ratePerInterval);
  return strength === 0 ? undefined : `${strength > 0 ? 'longs' : 'shorts'}-${String(Math.abs(strength))}`;
}

/**
 * Chooses the tone by the mean rate, so that windows of any length compare. There is none if every rate was the
 * interest rate.
 */
export function toWindowTone({
  sum,
  prints,
  baseline,
}: Pick<WindowMeasures, 'sum' | 'prints' | 'baseline'>): string | undefined {
  return toRateTone(sum === null || baseline === prints ? null : sum.div(prints).toNumber());
}
