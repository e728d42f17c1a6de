import { useMemo } from 'react';
import type { GridColumn } from './grid-column.ts';
import { usualGridState, type GridState } from './grid-state.ts';
import { useSame } from '../use-same.ts';
import { isLaidOutAnew, toLayout } from './layout-store.ts';
import { useKeptLayout } from './use-kept-layout.ts';

type Arrangement = Partial<Pick<GridState, 'sorts' | 'grouping' | 'closed'>>;

interface KeptGridOptions {
  /** Under which the columns are kept; another set of columns has another name. */
  readonly name: string;
  readonly columns: readonly GridColumn<never>[];
  /** What the screen keeps itself, in its address. Has to keep its identity between draws. */
  readonly arrangement: Arrangement;
  readonly arrange: (next: GridState) => void;
}

export interface KeptGrid {
  readonly state: GridState;
  readonly set: (next: GridState) => void;
  readonly resetLayout: () => void;
}

/** How a grid is arranged: its columns as this browser keeps them, the rest as the screen has it. */
export function useKeptGrid({ name, columns, arrangement, arrange }: KeptGridOptions): KeptGrid {
  const { store, layout, follow } = useKeptLayout(name, columns.map(({ id }) => id));
  const usual = useMemo(() => usualGridState(columns), [columns]);
  const state = useSame(useMemo(() => ({ ...usual, ...layout, ...arrangement }), [usual, layout, arrangement]));
  return {
    state,
    set: (next) => {
      const isLaidOut = isLaidOutAnew(state, next);
      if (!isLaidOut) {
        arrange(next);
        return;
      }
      store.write(toLayout(next));
      follow();
    },
    resetLayout: () => {
      store.forget();
      follow();
    },
  };
}
