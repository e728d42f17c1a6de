import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { type AliasTable, toAliasTable } from '#model/tables/orders/alias-text.ts';
import { useAddress, useNavigator } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import { choiceParam } from '#model/format/url-param.ts';
import { useStable } from '#page/kit/use-stable.ts';
import { type ListState, readListState, writeListState } from './list-query.ts';
import { isHeld, readOwnTexts, splitState, toOwnId, toOwnTexts, writeOwnTexts } from './private-state.ts';
import { createPrivateStore, isKept, isSame, type KeptState, type LinkState, resolveLink } from './resolve-link.ts';
import { defaultGridState, type GridColumn, type GridState } from '#model/tables/grid.ts';
import { showColumns, toNamedColumns, toShownColumns } from '#model/tables/orders/column-layout.ts';
import { isLayoutChanged, toLayout, useStoredLayout } from '#page/kit/grid/use-stored-grid.tsx';

interface AliasReading {
  /** Null until it has been read. */
  readonly table: AliasTable | null;
  readonly error: Error | null;
  /** Epoch milliseconds of the last failure. */
  readonly failedAt: number;
  readonly isFetching: boolean;
  readonly read: () => unknown;
}

/** Reads the server's table of owners and aliases, but only if an address or a filter needs it. */
function useAliases(isNeeded: boolean): AliasReading {
  const { queries } = useApi();
  const { data, error, errorUpdatedAt, isFetching, refetch } = useQuery({
    ...queries.desk.aliases({}),
    enabled: isNeeded,
  });
  const entries = data?.value.aliases;
  const table = useMemo(() => (entries === undefined ? null : toAliasTable(entries)), [entries]);
  return { table, error, failedAt: errorUpdatedAt, isFetching, read: refetch };
}

/** Whether the address contains codes instead of their aliases. */
const codesParam = choiceParam('codes', ['off', 'on'], 'off');

interface ListLink {
  /** The state without unresolved filters. */
  readonly list: ListState;
  readonly link: LinkState;
  readonly aliases: AliasReading;
  /** Filters that addresses omit because a code in them has no alias: column ids or `quick`. */
  readonly held: readonly string[];
  readonly sharesCodes: boolean;
  /** Writes the next state. With `replaces`, unresolved filters are dropped; otherwise they are kept. */
  readonly put: (next: ListState, shares: boolean, replaces?: boolean) => void;
}

/**
 * Reads and writes a list's state in its address, with aliases for codes. State that this tab wrote itself needs no
 * alias table.
 */
function useLink(ids: readonly string[], codes: ReadonlySet<string>, name: string): ListLink {
  const navigator = useNavigator();
  const { query } = useAddress();
  const [store] = useState(() => createPrivateStore(window, name, ids));
  const kept = useSyncExternalStore(store.subscribe, store.read);
  const own = useStable(useMemo(() => readOwnTexts(query), [query]));
  const aliases = useAliases(
    own.length > 0 || Object.keys(kept.filters).length > 0 || kept.quick !== '' || kept.view !== '',
  );
  const { table } = aliases;
  const optedIn = codesParam.read(query) === 'on';
  const { list, link, privateState } = useMemo(
    () => resolveLink({ shared: readListState(query, ids), own, kept, table, optedIn }),
    [query, ids, own, kept, table, optedIn],
  );
  const isResolved = link.is === 'resolved';
  useCompleteAddress({ own, kept, codes, aliases, isResolved }, (complete) => {
    writeQuery(navigator, (address) => {
      writeOwnTexts(address, complete);
    });
    store.write({ ...kept, own: complete });
  });
  const put = (next: ListState, shares: boolean, replaces = false): void => {
    const { shared, tabOnly } = splitState(next, shares, codes, privateState);
    const nextOwn = shares ? [] : toOwnTexts(tabOnly, table, codes);
    const keepsLink = !isResolved && !replaces && isSame(nextOwn, toOwnTexts(privateState, table, codes));
    writeQuery(navigator, (address) => {
      writeListState(address, shared);
      writeOwnTexts(address, keepsLink ? own : nextOwn);
      codesParam.write(address, shares ? 'on' : 'off');
    });
    if (!keepsLink) store.write({ ...tabOnly, own: nextOwn });
  };
  const held = useMemo(
    () =>
      own
        .filter(isHeld)
        .map(toOwnId)
        .filter((id) => id !== 'view'),
    [own],
  );
  return { list, link, aliases, held, sharesCodes: optedIn, put };
}

interface AddressInputs {
  readonly own: readonly string[];
  readonly kept: KeptState;
  readonly codes: ReadonlySet<string>;
  readonly aliases: AliasReading;
  readonly isResolved: boolean;
}

/**
 * Adds aliases to the address once they exist: the server assigns a code its alias only after reading an order with
 * that code.
 */
function useCompleteAddress(
  { own, kept, codes, aliases: { table, read }, isResolved }: AddressInputs,
  write: (own: readonly string[]) => void,
): void {
  const lacksAlias = own.some(isHeld) || !isResolved;
  const known = codes.size;
  const readAliases = useEffectEvent(() => {
    if (lacksAlias && table !== null) void read();
  });
  useEffect(() => {
    readAliases();
  }, [own, known]);
  const complete = useMemo(
    () => (lacksAlias && table !== null && isKept(own, kept.own) ? toOwnTexts(kept, table, codes) : own),
    [lacksAlias, table, own, kept, codes],
  );
  const writeComplete = useEffectEvent(write);
  useEffect(() => {
    if (!isSame(complete, own)) writeComplete(complete);
  }, [complete, own]);
}

/** Each list keeps its own layout. */
export type ListName = 'orders' | 'history' | 'activity';

/** A comparison of working orders also has its own layout, because it has additional columns. */
type LayoutName = ListName | 'orders-compared';

export interface ListControl {
  readonly state: GridState;
  readonly set: (state: GridState) => void;
  /** Until the link is resolved, `state` lacks some of its filters and must not be applied to orders. */
  readonly link: LinkState;
  readonly aliases: AliasReading;
  /** Filters that addresses omit because a code in them has no alias: column ids or `quick`. */
  readonly held: readonly string[];
  /** Drops the unresolved filters. */
  readonly dropUnknown: () => void;
  readonly sharesCodes: boolean;
  readonly shareCodes: (shares: boolean) => void;
  /** Returns the content of a saved view, including account codes. */
  readonly toQuery: () => string;
  readonly open: (view: { readonly name: string; readonly query: string }) => void;
  readonly viewName: string;
  /** Restores the default widths, order and choice of columns. */
  readonly resetLayout: () => void;
}

/**
 * Holds a list's state: sorting, grouping and filters in its address, with aliases for codes; the column layout in
 * this browser.
 */
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

  // Keeps the object's identity when only other parts of the address change, such as the open panel.
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
