import { useMemo } from 'react';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { FactList } from '#ui/fact-list.tsx';
import { useNote } from '#ui/floating/note-context.tsx';
import type { Note } from '#ui/floating/note.ts';
import type { GridEvents, GridPlace } from '#ui/grid/grid-props.ts';
import { explainCell } from './order-notes.ts';

type Notes = Pick<GridEvents<OrderRow>, 'onNote' | 'onPoint'>;

/** Where the figure of a cell comes from: to the pointer that rests on it, and to the keyboard by `i`. */
export function useCellNotes(): Notes {
  const { hover, leave, pin } = useNote();
  return useMemo(
    () => ({
      onNote: (place) => {
        pin(toNote(place));
      },
      onPoint: (place) => {
        if (place === null) leave();
        else hover(toNote(place));
      },
    }),
    [hover, leave, pin],
  );
}

function toNote({ row, column, element }: GridPlace<OrderRow>): Note {
  const facts = explainCell(row, column.id);
  return { anchor: element, title: `${column.title}: ${column.text(row).trim()}`, content: <FactList facts={facts} /> };
}
