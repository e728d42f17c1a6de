import { useMemo } from 'react';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { defaultGridState, type GridState } from '#model/tables/grid-state.ts';
import { useStable } from '../use-stable.ts';
import { isLayoutChanged, toLayout, useStoredLayout, type ColumnLayout } from './layout-store.ts';

type Arrangement = Partial<Pick<GridState, 'sorts' | 'grouping' | 'closed'>>;

interface StoredGridOptions {
  /** Storage name of the column layout; another set of columns has another name. */
  readonly name: string;
  readonly columns: readonly GridColumn<never>[];
  /** The parts that the screen keeps in its address. Must keep its identity between renders. */
  readonly arrangement: Arrangement;
  readonly arrange: (next: GridState) => void;
  /** Columns that the address sorts by: shown even where the layout hides them, so that the order has its reason. Must keep its identity between renders. */
  readonly linked?: readonly string[];
  /** The layout to start from where none is stored under the name. */
  readonly inherited?: { readonly name: string; readonly adapt: (layout: ColumnLayout) => ColumnLayout };
}

export interface StoredGrid {
  readonly state: GridState;
  readonly set: (next: GridState) => void;
  readonly resetLayout: () => void;
}

const NONE: readonly string[] = [];

/** A grid’s state: columns as stored in this browser, the rest as the screen has it. */
export function useStoredGrid({
  name,
  columns,
  arrangement,
  arrange,
  linked = NONE,
  inherited,
}: StoredGridOptions): StoredGrid {
  const ids = columns.map(({ id }) => id);
  const general = useStoredLayout(inherited?.name ?? name, ids);
  const special = useStoredLayout(name, ids);
  const { store, layout: own, refresh } = inherited === undefined ? general : special;
  const layout = useStable(own.order === undefined && inherited !== undefined ? inherited.adapt(general.layout) : own);
  const defaults = useMemo(() => defaultGridState(columns), [columns]);
  const { hidden } = { ...defaults, ...layout };
  const state = useStable(
    useMemo(
      () => ({ ...defaults, ...layout, hidden: hidden.filter((id) => !linked.includes(id)), ...arrangement }),
      [defaults, layout, hidden, linked, arrangement],
    ),
  );
  return {
    state,
    set: (next) => {
      const isHidden = ({ id }: { readonly id: string }): boolean => linked.includes(id) && next.hidden.includes(id);
      if (isLayoutChanged(state, next)) {
        const stayHidden = hidden.filter((id) => linked.includes(id) && !next.hidden.includes(id));
        store.write({ ...toLayout(next), hidden: [...next.hidden, ...stayHidden] });
        refresh();
      }
      // To hide a column that is shown because the list is sorted by it ends the sorting.
      if (!isLayoutChanged(state, next) || next.sorts.some(isHidden))
        arrange({ ...next, sorts: next.sorts.filter((sort) => !isHidden(sort)) });
    },
    resetLayout: () => {
      store.clear();
      refresh();
    },
  };
}
