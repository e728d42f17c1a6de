import { useMemo, useState } from 'react';
import type { GridColumn } from '#ui/grid/grid-column.ts';
import { usualGridState, type GridState } from '#ui/grid/grid-state.ts';
import { useAddress, useNavigator, writeQuery } from '#ui/navigation/navigation.tsx';
import { choiceParam } from '#ui/navigation/url-param.ts';
import { NARROW, useMedia } from '#ui/use-media.ts';
import { useSame } from '#ui/use-same.ts';
import { showColumns, toNamedColumns, toShownColumns } from './column-layout.ts';
import { isLaidOutAnew, toLayout } from '#ui/grid/layout-store.ts';
import { useKeptLayout } from '#ui/grid/use-kept-layout.ts';
import { readListState, writeListState, type ListState } from './order-state-text.ts';
import { createOwnStore } from './own-store.ts';
import { joinState, splitState } from './private-state.ts';

/** Whether account codes may stand in the address; off unless the reader says so. */
const codesParam = choiceParam('codes', ['off', 'on'], 'off');

/** Each list is arranged by itself. */
type ListName = 'orders' | 'history';

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
  const [ownStore] = useState(() => createOwnStore(window, name, ids));
  const [own, setOwn] = useState(ownStore.read);
  const { store: layoutStore, layout, follow } = useKeptLayout(useMedia(NARROW) ? `${name}-narrow` : name, ids);
  const [closed, setClosed] = useState(usual.closed);
  const sharesCodes = codesParam.read(query) === 'on';

  // Whatever else changes in the address, such as a panel beside the list, leaves the state as it is.
  const { state, viewName } = useSame(
    useMemo((): { readonly state: GridState; readonly viewName: string } => {
      const { columns: shown, view, ...list } = joinState(readListState(query, ids), own, sharesCodes);
      return { state: { ...showColumns({ ...usual, ...layout }, shown), ...list, closed }, viewName: view };
    }, [query, ids, usual, own, sharesCodes, layout, closed]),
  );

  const put = (next: ListState, shares: boolean): void => {
    const split = splitState(next, shares, codes, own);
    writeQuery(navigator, (address) => {
      writeListState(address, split.open);
      codesParam.write(address, shares ? 'on' : 'off');
    });
    ownStore.write(split.own);
    setOwn(split.own);
    follow();
  };
  const toList = (from: GridState, kept: Partial<GridState> = layout): ListState => ({ ...from, view: viewName, columns: toNamedColumns(from, usual, { ...usual, ...kept }) });
  return {
    state,
    set: (next) => {
      setClosed(next.closed);
      const isLaidOut = isLaidOutAnew(state, next);
      if (isLaidOut) layoutStore.write(toLayout(next));
      put(toList(next, isLaidOut ? next : layout), sharesCodes);
    },
    sharesCodes,
    shareCodes: (shares) => {
      put(toList(state), shares);
    },
    toQuery: () => {
      const all = new URLSearchParams();
      writeListState(all, { ...state, view: '', columns: toShownColumns(state) });
      return all.toString();
    },
    viewName,
    open: (view) => {
      const { columns: shown, ...saved } = readListState(new URLSearchParams(view.query), ids);
      const arranged = toList({ ...showColumns({ ...usual, ...layout }, shown), ...saved, closed });
      put({ ...arranged, view: view.name }, sharesCodes);
    },
    resetLayout: () => {
      layoutStore.forget();
      put({ ...toList(state), columns: null }, sharesCodes);
    },
  };
}
