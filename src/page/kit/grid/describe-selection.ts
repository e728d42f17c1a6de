import { countOf } from '#model/format/count.ts';
import type { CellRange } from './cursor.ts';

export function describeRange({ firstLine, lastLine, firstPlace, lastPlace }: CellRange): string {
  return `Selected ${countOf(lastLine - firstLine + 1, 'row')} by ${countOf(lastPlace - firstPlace + 1, 'column')}.`;
}

/** How many rows are selected, and how many of the last selection could not be. */
export function describeSelection(count: number, missing: number): string {
  const text = `Selected ${countOf(count, 'row')}`;
  return missing === 0 ? `${text}.` : `${text}; ${countOf(missing, 'row')} NOT selected: not loaded.`;
}
