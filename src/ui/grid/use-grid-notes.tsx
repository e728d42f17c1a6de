import { useMemo } from 'react';
import { useNotLoaded } from '../complaint.tsx';
import { FactList } from '../fact-list.tsx';
import { useNote } from '../floating/note-context.tsx';
import type { Note } from '../floating/note.ts';
import type { CellNote } from './cell-note.ts';
import type { GridEvents, GridPlace } from './grid-props.ts';

/** What explains a cell; its words may have to be fetched first. */
export type ExplainCell<Row> = (place: GridPlace<Row>) => CellNote | null | Promise<CellNote | null>;

type Notes<Row> = Required<Pick<GridEvents<Row>, 'onNote' | 'onPoint'>>;

/** Where the figure of a cell comes from: to the pointer that rests on it, and to the keyboard by `i`. */
export function useGridNotes<Row>(explain: ExplainCell<Row>): Notes<Row> {
  const control = useNote();
  const notLoaded = useNotLoaded();
  return useMemo(() => createNotes(explain, control, notLoaded), [explain, control, notLoaded]);
}

function createNotes<Row>(explain: ExplainCell<Row>, { hover, leave, pin }: ReturnType<typeof useNote>, notLoaded: () => void): Notes<Row> {
  let last: GridPlace<Row> | null = null;
  const tell = async (place: GridPlace<Row>, show: (note: Note) => void): Promise<void> => {
    last = place;
    const note = await explain(place);
    if (note !== null && last === place) show({ anchor: place.element, title: note.title, content: <FactList facts={note.facts} /> });
  };
  return {
    onNote: (place) => {
      tell(place, pin).catch(notLoaded);
    },
    onPoint: (place) => {
      last = null;
      leave();
      if (place !== null) tell(place, hover).catch(notLoaded);
    },
  };
}
