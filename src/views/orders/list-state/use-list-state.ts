import { useMemo, useState } from 'react';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { defaultGridState, type GridState } from '#ui/grid/grid-state.ts';
import { useAddress, useNavigator, writeQuery } from '#ui/navigation/navigation.tsx';
import { choiceParam } from '#ui/navigation/url-param.ts';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { useStable } from '#ui/use-stable.ts';
import { showColumns, toNamedColumns, toShownColumns } from './column-layout.ts';
import { isLayoutChanged, toLayout, useStoredLayout } from '#ui/grid/layout-store.ts';
import { readListState, writeListState, type ListState } from './list-query.ts';
import { createPrivateStore } from './private-store.ts';
import { joinState, splitState } from './private-state.ts';

/** Whether the address may hold account codes. */
const codesParam = choiceParam('codes', ['off', 'on'], 'off');

/** Each list keeps a layout of its own. */
type ListName = 'orders' | 'history';

export interface ListControl {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  readonly sharesCodes: boolean;
  readonly shareCodes: (shares: boolean) => void;
  /** The content of a saved view, account codes included. */
  readonly toQuery: () => string;
  readonly open: (view: { readonly name: string; readonly query: string }) => void;
  readonly viewName: string;
  /** Restores the default widths, order and choice of columns. */
  readonly resetLayout: () => void;
}

/** The state of a list: shareable parts in the address, private parts in this tab, the column layout in this browser. */
export function useListState(columns: readonly GridColumn<never>[], codes: ReadonlySet<string>, name: ListName = 'orders'): ListControl {
  const navigator = useNavigator();
  const { query } = useAddress();
  const ids = useMemo(() => columns.map(({ id }) => id), [columns]);
  const defaults = useMemo(() => defaultGridState(columns), [columns]);
  const [privateStore] = useState(() => createPrivateStore(window, name, ids));
  const [tabOnly, setTabOnly] = useState(privateStore.read);
  const { store: layoutStore, layout, refresh } = useStoredLayout(useMedia(NARROW) ? `${name}-narrow` : name, ids);
  const [closed, setClosed] = useState(defaults.closed);
  const sharesCodes = codesParam.read(query) === 'on';

  // Other changes of the address, such as a panel, keep the identity of the state.
  const { state, viewName } = useStable(
    useMemo((): { readonly state: GridState; readonly viewName: string } => {
      const { columns: shown, view, ...list } = joinState(readListState(query, ids), tabOnly, sharesCodes);
      return { state: { ...showColumns({ ...defaults, ...layout }, shown), ...list, closed }, viewName: view };
    }, [query, ids, defaults, tabOnly, sharesCodes, layout, closed]),
  );

  const put = (next: ListState, shares: boolean): void => {
    const split = splitState(next, shares, codes, tabOnly);
    writeQuery(navigator, (address) => {
      writeListState(address, split.shared);
      codesParam.write(address, shares ? 'on' : 'off');
    });
    privateStore.write(split.tabOnly);
    setTabOnly(split.tabOnly);
    refresh();
  };
  const toListState = (from: GridState, kept: Partial<GridState> = layout): ListState => ({ ...from, view: viewName, columns: toNamedColumns(from, defaults, { ...defaults, ...kept }) });
  return {
    state,
    set: (next) => {
      setClosed(next.closed);
      const isLaidOut = isLayoutChanged(state, next);
      if (isLaidOut) layoutStore.write(toLayout(next));
      put(toListState(next, isLaidOut ? next : layout), sharesCodes);
    },
    sharesCodes,
    shareCodes: (shares) => {
      put(toListState(state), shares);
    },
    toQuery: () => {
      const all = new URLSearchParams();
      writeListState(all, { ...state, view: '', columns: toShownColumns(state) });
      return all.toString();
    },
    viewName,
    open: (view) => {
      const { columns: shown, ...saved } = readListState(new URLSearchParams(view.query), ids);
      const arranged = toListState({ ...showColumns({ ...defaults, ...layout }, shown), ...saved, closed });
      put({ ...arranged, view: view.name }, sharesCodes);
    },
    resetLayout: () => {
      layoutStore.clear();
      put({ ...toListState(state), columns: null }, sharesCodes);
    },
  };
}
