import type { Fact } from '../format/fact.ts';

/** Explains a cell. */
export interface CellTooltip {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** Adds why the figure is not current as the first fact; the same tooltip where it is. */
export function withReason(tooltip: CellTooltip | null, name: string, notCurrent: string | null): CellTooltip | null {
  return tooltip === null || notCurrent === null
    ? tooltip
    : { ...tooltip, facts: [{ name, value: notCurrent }, ...tooltip.facts] };
}
