import { useMemo } from 'react';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { useListState, type ListControl } from '../list-state/use-list-state.ts';
import { readTypes, writeTypes } from './type-filter.ts';

/** The state of the history, with product types as its list shows them. */
export function useHistoryList(columns: readonly GridColumn<never>[], codes: ReadonlySet<string>): ListControl {
  const list = useListState(columns, codes, 'history');
  const state = useMemo(() => readTypes(list.state), [list.state]);
  return {
    ...list,
    state,
    set: (next) => {
      list.set(writeTypes(next));
    },
  };
}
