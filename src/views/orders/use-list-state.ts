import { useMemo, useState } from 'react';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { usualGridState, type GridState } from '#ui/grid/grid-state.ts';
import { useAddress, useNavigator, writeQuery } from '#ui/navigation/navigation.tsx';
import { choiceParam } from '#ui/navigation/url-param.ts';
import { showColumns, toNamedColumns, toShownColumns } from './column-layout.ts';
import { createLayoutStore, isLaidOutAnew, toLayout } from '#ui/grid/layout-store.ts';
import { readListState, writeListState, type ListState } from './order-state-text.ts';
import { createOwnStore } from './own-store.ts';
import { joinState, splitState } from './private-state.ts';

/** Whether account codes may stand in the address; off unless the reader says so. */
const codesParam = choiceParam('codes', ['off', 'on'], 'off');

/** Each list is arranged by itself. */
type ListName = 'orders' | 'history';

/** Which saved view the list was last set to. */
const VIEW = 'view';

export interface ListControl {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  /** Whether account codes may stand in the address. */
  readonly sharesCodes: boolean;
  readonly shareCodes: (shares: boolean) => void;
  /** Everything that a saved view is made of, account codes included. */
  readonly toQuery: () => string;
  readonly open: (view: { readonly name: string; readonly query: string }) => void;
  readonly viewName: string;
  /** Widths, order and choice of columns as they were before anybody changed them. */
  readonly resetLayout: () => void;
}

/** How a list is arranged: in the address what a link may show, in this tab what it may not, in this browser the columns. */
export function useListState(columns: readonly GridColumn<never>[], codes: ReadonlySet<string>, name: ListName = 'orders'): ListControl {
  const navigator = useNavigator();
  const { query } = useAddress();
  const ids = useMemo(() => columns.map(({ id }) => id), [columns]);
  const usual = useMemo(() => usualGridState(columns), [columns]);
  const [stores] = useState(() => ({ own: createOwnStore(window, name, ids), layout: createLayoutStore(window, name, ids) }));
  const [own, setOwn] = useState(stores.own.read);
  const [layout, setLayout] = useState(stores.layout.read);
  const [closed, setClosed] = useState(usual.closed);
  const sharesCodes = codesParam.read(query) === 'on';

  const state = useMemo((): GridState => {
    const { columns: shown, ...list } = joinState(readListState(query, ids), own, sharesCodes);
    return { ...showColumns({ ...usual, ...layout }, shown), ...list, closed };
  }, [query, ids, usual, own, sharesCodes, layout, closed]);

  const put = (next: ListState, shares: boolean, view: string): void => {
    const split = splitState(next, shares, codes);
    writeQuery(navigator, (address) => {
      writeListState(address, split.open);
      codesParam.write(address, shares ? 'on' : 'off');
      if (view === '') address.delete(VIEW);
      else address.set(VIEW, view);
    });
    stores.own.write(split.own);
    setOwn(split.own);
    setLayout(stores.layout.read());
  };
  const toList = (from: GridState, kept: Partial<GridState> = layout): ListState => ({ ...from, columns: toNamedColumns(from, usual, { ...usual, ...kept }) });
  const viewName = query.get(VIEW) ?? '';
  return {
    state,
    set: (next) => {
      setClosed(next.closed);
      const isLaidOut = isLaidOutAnew(state, next);
      if (isLaidOut) stores.layout.write(toLayout(next));
      put(toList(next, isLaidOut ? next : layout), sharesCodes, viewName);
    },
    sharesCodes,
    shareCodes: (shares) => {
      put(toList(state), shares, viewName);
    },
    toQuery: () => {
      const all = new URLSearchParams();
      writeListState(all, { ...state, columns: toShownColumns(state) });
      return all.toString();
    },
    viewName,
    open: (view) => {
      const { columns: shown, ...saved } = readListState(new URLSearchParams(view.query), ids);
      put(toList({ ...showColumns({ ...usual, ...layout }, shown), ...saved, closed }), sharesCodes, view.name);
    },
    resetLayout: () => {
      stores.layout.forget();
      put({ ...toList(state), columns: null }, sharesCodes, viewName);
    },
  };
}
