import { describeOverdue, type Overdue } from '../time/overdue.ts';
import { withReason, type CellTooltip } from './cell-tooltip.ts';

/** Also the title of the notice. */
export const OVERDUE = 'Overdue';

/** Adds that the figure is overdue as the first fact; the same tooltip where it is not. */
export function withOverdue(tooltip: CellTooltip | null, noun: string, overdue: Overdue | null): CellTooltip | null {
  return withReason(tooltip, OVERDUE, overdue && describeOverdue(noun, overdue));
}
