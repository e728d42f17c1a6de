import type { Fact } from '../fact-list.tsx';

/** What explains a cell: to the pointer that rests on it, and to the keyboard by `i`. */
export interface CellNote {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** A note that says first why its figure is not the latest; the same note where it is. */
export function withReason(note: CellNote | null, notCurrent: string | null): CellNote | null {
  return note === null || notCurrent === null ? note : { ...note, facts: [{ name: 'Not current', value: notCurrent }, ...note.facts] };
}
