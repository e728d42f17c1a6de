import { useMemo } from 'react';
import type { GridColumn } from './grid-column.ts';
import { defaultGridState, type GridState } from './grid-state.ts';
import { useStable } from '../use-stable.ts';
import { isLayoutChanged, toLayout, useStoredLayout } from './layout-store.ts';

type Arrangement = Partial<Pick<GridState, 'sorts' | 'grouping' | 'closed'>>;

interface StoredGridOptions {
  /** Storage name of the column layout; another set of columns has another name. */
  readonly name: string;
  readonly columns: readonly GridColumn<never>[];
  /** The parts that the screen keeps in its address. Must keep its identity between renders. */
  readonly arrangement: Arrangement;
  readonly arrange: (next: GridState) => void;
}

export interface StoredGrid {
  readonly state: GridState;
  readonly set: (next: GridState) => void;
  readonly resetLayout: () => void;
}

/** A grid’s state: columns as stored in this browser, the rest as the screen has it. */
export function useStoredGrid({ name, columns, arrangement, arrange }: StoredGridOptions): StoredGrid {
  const { store, layout, refresh } = useStoredLayout(name, columns.map(({ id }) => id));
  const defaults = useMemo(() => defaultGridState(columns), [columns]);
  const state = useStable(useMemo(() => ({ ...defaults, ...layout, ...arrangement }), [defaults, layout, arrangement]));
  return {
    state,
    set: (next) => {
      if (!isLayoutChanged(state, next)) {
        arrange(next);
        return;
      }
      store.write(toLayout(next));
      refresh();
    },
    resetLayout: () => {
      store.clear();
      refresh();
    },
  };
}
