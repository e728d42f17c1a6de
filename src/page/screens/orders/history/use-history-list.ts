import { useMemo } from 'react';
import { useNavigator } from '#page/kit/navigation/navigation.tsx';
import { writeQuery } from '#page/kit/navigation/write-query.ts';
import { parseAddress } from '#page/kit/navigation/navigator.ts';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { useListState, type ListControl } from '../list-state/use-list-state.ts';
import { QUERY_PARAMS } from '#model/tables/orders/history-query.ts';
import { readTypes, writeTypes } from '#model/tables/orders/type-filter.ts';

/** The state of the history, with product types as its list shows them. Its saved views hold what only the exchange filters by, too. */
export function useHistoryList(columns: readonly GridColumn<never>[], codes: ReadonlySet<string>): ListControl {
  const navigator = useNavigator();
  const list = useListState(columns, codes, 'history');
  const state = useMemo(() => readTypes(list.state), [list.state]);
  return {
    ...list,
    state,
    set: (next) => {
      list.set(writeTypes(next));
    },
    toQuery: () => {
      const all = new URLSearchParams(list.toQuery());
      copyQueryParams(parseAddress(navigator.read()).query, all);
      return all.toString();
    },
    open: (view) => {
      list.open(view);
      writeQuery(navigator, (query) => {
        copyQueryParams(new URLSearchParams(view.query), query);
      });
    },
  };
}

function copyQueryParams(from: URLSearchParams, to: URLSearchParams): void {
  for (const param of Object.values(QUERY_PARAMS)) param.write(to, param.read(from));
}
