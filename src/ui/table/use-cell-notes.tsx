import { useMemo } from 'react';
import type { PointerEvent } from 'react';
import { FactList } from '../fact-list.tsx';
import type { Note } from '../floating/note.ts';
import { useNote } from '../floating/note-context.tsx';
import type { SortableColumn } from './sortable-column.ts';

interface CellNotes {
  readonly onPointerOver: (event: PointerEvent) => void;
  readonly onPointerOut: (event: PointerEvent) => void;
  /** Pins the note of the cell that an element is in; whether it has one. */
  readonly pinAt: (element: Element) => boolean;
}

/** Explains cells, with one listener for all of them: there may be thousands. */
export function useCellNotes<Row>(columns: readonly SortableColumn<Row>[], rows: ReadonlyMap<string, Row>): CellNotes {
  const { hover, leave, pin } = useNote();
  return useMemo(() => {
    const noteAt = (element: Element): Note | null => {
      const anchor = element.closest('td[data-note]');
      const row = rows.get(anchor?.closest('tr')?.dataset['row'] ?? '');
      const column = columns.find(({ id }) => id === anchor?.getAttribute('data-column'));
      const note = row === undefined ? null : (column?.note?.(row) ?? null);
      return anchor === null || note === null ? null : { anchor, title: note.title, content: <FactList facts={note.facts} /> };
    };
    return {
      onPointerOver: ({ pointerType, target }) => {
        const note = pointerType === 'mouse' && target instanceof Element ? noteAt(target) : null;
        if (note !== null) hover(note);
      },
      onPointerOut: leave,
      pinAt: (element) => {
        const note = noteAt(element);
        if (note !== null) pin(note);
        return note !== null;
      },
    };
  }, [columns, rows, hover, leave, pin]);
}
