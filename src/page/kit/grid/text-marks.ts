import { splitAtMarks } from '../search-matches.tsx';
import { createListeners } from '../listeners.ts';
import type { GridColumn } from '#model/tables/grid.ts';
import styles from '../marked-text.module.css';

type Watch = NonNullable<GridColumn<never>['watch']>;

/** Marks the matches of a search in the cells of a grid, without new columns for every letter typed. */
export interface TextMarks {
  /** Sets the texts to mark; an empty list makes all cells plain. */
  readonly mark: (marked: readonly string[]) => void;
  /** Writes the text of a cell. */
  readonly write: (element: HTMLElement, text: string) => void;
  /** Combines the marks with another watch of a cell. */
  readonly watchBesides: (watch: Watch) => Watch;
  /** Cells of plain text. */
  readonly cells: Pick<GridColumn<unknown>, 'draw' | 'watch'>;
}

export function createTextMarks(): TextMarks {
  const { notify, subscribe } = createListeners();
  let current: readonly string[] = [];
  const write = (element: HTMLElement, text: string): void => {
    if (current.length === 0) element.textContent = text;
    else
      element.replaceChildren(
        ...splitAtMarks(text, current).map(({ part, isMarked }) => (isMarked ? createMark(part) : part)),
      );
  };
  return {
    mark: (marked) => {
      if (marked === current) return;
      current = marked;
      notify();
    },
    write,
    watchBesides: (watch) => (changed) => {
      const stops = [watch(changed), subscribe(changed)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    cells: { watch: subscribe, draw: () => createCell(write) },
  };
}

function createCell(write: TextMarks['write']) {
  const element = document.createElement('span');
  const show = (_: unknown, text: string): void => {
    write(element, text);
  };
  return { element, show };
}

function createMark(text: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.className = styles['mark'] ?? '';
  mark.textContent = text;
  return mark;
}
