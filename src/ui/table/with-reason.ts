import type { CellNote } from './sortable-column.ts';

/** A note that says first why its figure is not the latest; the same note where it is. */
export function withReason(note: CellNote | null, notCurrent: string | null): CellNote | null {
  return note === null || notCurrent === null ? note : { ...note, facts: [{ name: 'Not current', value: notCurrent }, ...note.facts] };
}
