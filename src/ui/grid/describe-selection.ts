import { countOf } from '#domain/format-count.ts';
import type { CellRange } from './cursor.ts';

export function describeRange({ firstLine, lastLine, firstPlace, lastPlace }: CellRange): string {
  return `Selected ${countOf(lastLine - firstLine + 1, 'row')} by ${countOf(lastPlace - firstPlace + 1, 'column')}.`;
}

/** How many rows are selected by now, and how many of those last meant are not. */
export function describeSelection(count: number, missing: number): string {
  const told = `Selected ${countOf(count, 'row')}`;
  return missing === 0 ? `${told}.` : `${told}, but NOT ${countOf(missing, 'row')} that ${missing === 1 ? 'is' : 'are'} not in memory.`;
}
