import { countOf, formatCount } from '#domain/format-count.ts';
import type { Fact } from '#ui/fact-list.tsx';
import type { CellNote } from '#ui/grid/cell-note.ts';
import type { WindowFigures } from './compare-row.ts';

/** Whether what was realised is of some of the window's intervals only: it is no match for that of a whole window. */
export function isPartial(figures: WindowFigures | null): boolean {
  return figures !== null && figures.measures.prints > 0 && figures.measures.prints < countIntervalsOf(figures);
}

/** Those before the product was listed included. */
function countIntervalsOf({ measures: { intervals, notListed } }: WindowFigures): number {
  return intervals + notListed;
}

export function withCoverage(note: CellNote | null, figures: WindowFigures | null): CellNote | null {
  if (note === null || figures === null || !isPartial(figures)) return note;
  const value = `${countOf(figures.measures.prints, 'print')} of the ${formatCount(countIntervalsOf(figures))} intervals of the window`;
  return { ...note, facts: [{ name: 'Coverage', value }, ...toCoverageFacts(figures), ...note.facts] };
}

/** Which intervals of a window have no print, but for holes: those are counted as gaps. */
export function toCoverageFacts({ measures: { notListed, notRead, notSettled } }: WindowFigures): readonly Fact[] {
  return [
    { name: 'Not listed yet', value: `${countOf(notListed, 'interval')} before`, count: notListed },
    { name: 'Not read yet', value: countOf(notRead, 'interval'), count: notRead },
    { name: 'Not settled yet', value: `${countOf(notSettled, 'interval')} after its newest print`, count: notSettled },
  ].filter(({ count }) => count > 0);
}
