import { useMemo, useState } from 'react';
import type { GridColumn } from '#model/tables/grid-column.ts';
import { defaultGridState, type GridState } from '#model/tables/grid-state.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { useStable } from '#page/kit/use-stable.ts';
import { showColumns, toNamedColumns, toShownColumns } from '#model/tables/orders/column-layout.ts';
import { isLayoutChanged, toLayout, useStoredLayout } from '#page/kit/grid/layout-store.ts';
import { readListState, writeListState, type ListState } from './list-query.ts';
import type { LinkState } from './resolve-link.ts';
import type { AliasReading } from './use-aliases.ts';
import { useLink } from './use-link.ts';

/** Each list keeps a layout of its own. */
export type ListName = 'orders' | 'history' | 'activity';

/** So does a comparison of working orders, which has columns that the list has not. */
type LayoutName = ListName | 'orders-compared';

export interface ListControl {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  /** Until the link is resolved, the state lacks some of its filters and must not be applied to any order. */
  readonly link: LinkState;
  readonly aliases: AliasReading;
  /** Filters that no address contains, since a code in them has no alias: columns, or `quick`. */
  readonly held: readonly string[];
  /** Drops the filters that could not be resolved. */
  readonly dropUnknown: () => void;
  readonly sharesCodes: boolean;
  readonly shareCodes: (shares: boolean) => void;
  /** The content of a saved view, account codes included. */
  readonly toQuery: () => string;
  readonly open: (view: { readonly name: string; readonly query: string }) => void;
  readonly viewName: string;
  /** Restores the default widths, order and choice of columns. */
  readonly resetLayout: () => void;
}

/** The state of a list: in its address, where aliases stand for codes; the column layout is in this browser. */
export function useListState(
  columns: readonly GridColumn<never>[],
  codes: ReadonlySet<string>,
  name: ListName = 'orders',
  layoutName: LayoutName = name,
): ListControl {
  const ids = useMemo(() => columns.map(({ id }) => id), [columns]);
  const defaults = useMemo(() => defaultGridState(columns), [columns]);
  const { list: linked, link, aliases, held, sharesCodes, put: putLink } = useLink(ids, codes, name);
  const {
    store: layoutStore,
    layout,
    refresh,
  } = useStoredLayout(useMedia(NARROW) ? `${layoutName}-narrow` : layoutName, ids);
  const [closed, setClosed] = useState(defaults.closed);

  // Other changes of the address, such as a panel, keep the identity of the state.
  const { state, viewName } = useStable(
    useMemo((): { readonly state: GridState; readonly viewName: string } => {
      const { columns: shown, view, ...list } = linked;
      return { state: { ...showColumns({ ...defaults, ...layout }, shown), ...list, closed }, viewName: view };
    }, [linked, defaults, layout, closed]),
  );

  const put: typeof putLink = (...change) => {
    putLink(...change);
    refresh();
  };
  const toListState = (from: GridState, kept: Partial<GridState> = layout): ListState => ({
    ...from,
    view: viewName,
    columns: toNamedColumns(from, defaults, { ...defaults, ...kept }),
  });
  return {
    state,
    set: (next) => {
      setClosed(next.closed);
      const isLaidOut = isLayoutChanged(state, next);
      if (isLaidOut) layoutStore.write(toLayout(next));
      put(toListState(next, isLaidOut ? next : layout), sharesCodes);
    },
    link,
    aliases,
    held,
    dropUnknown: () => {
      put(toListState(state), sharesCodes, true);
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
      put({ ...arranged, view: view.name }, sharesCodes, true);
    },
    resetLayout: () => {
      layoutStore.clear();
      put({ ...toListState(state), columns: null }, sharesCodes);
    },
  };
}
