import { createContext, useMemo, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { createStoredValue, type StoredValue } from '#page/kit/stored-value.ts';
import { useRequiredContext } from '#page/kit/use-required-context.ts';
import { listFilter } from '#model/tables/markets/market-params.ts';
import { createStar, type Star } from './star.ts';
import { createWatchlistStore, FIRST_LIST, type Watchlist, type WatchlistStore } from './watchlist-store.ts';

interface Stores {
  readonly lists: WatchlistStore;
  /** Id of the list chosen last. Not followed in other tabs: one of them must not change where the star of this one puts a product. */
  readonly chosen: Pick<StoredValue<string>, 'read' | 'write'>;
}

const StoresContext = createContext<Stores | null>(null);

export function WatchlistsProvider({ children }: { readonly children: ReactNode }) {
  const [stores] = useState(() => ({
    lists: createWatchlistStore(window),
    chosen: createStoredValue(window, 'perpdesk.last.watchlist', { parse: (text) => text ?? '', format: (id) => id }),
  }));
  return <StoresContext value={stores}>{children}</StoresContext>;
}

export interface Watchlists {
  readonly lists: readonly Watchlist[];
  readonly update: WatchlistStore['update'];
  /** The list that the star changes: the one shown, else the one chosen last. */
  readonly current: Watchlist;
  /** The list that the address names. Null: all products are shown. Undefined: it is not in this browser. */
  readonly shown: Watchlist | null | undefined;
  /** Makes a list the current one, and shows it or all products. */
  readonly choose: (id: string, isShown: boolean) => void;
}

export function useWatchlists(): Watchlists {
  const { lists: store, chosen } = useRequiredContext(StoresContext, 'watchlists');
  const lists = useSyncExternalStore(store.subscribe, store.read);
  const [named, setNamed] = useUrlState(listFilter);
  const find = (id: string): Watchlist | undefined => lists.find((list) => list.id === id);
  const current = find(named) ?? find(chosen.read()) ?? lists[0] ?? FIRST_LIST;
  return {
    lists,
    update: store.update,
    current,
    shown: named === '' ? null : find(named),
    choose: (id, isShown) => {
      chosen.write(id);
      setNamed(isShown ? id : '');
    },
  };
}

/** The products that the watchlist of the address has; none where it is not in this browser, null for all products. */
export function useListed(): ReadonlySet<number> | null {
  const { shown } = useWatchlists();
  return useMemo(() => (shown === null ? null : new Set(shown?.products)), [shown]);
}

/** The star of the current list; it keeps its identity until another list is current. */
export function useStar(): Star {
  const { lists: store } = useRequiredContext(StoresContext, 'watchlists');
  const { id } = useWatchlists().current;
  return useMemo(() => createStar(store, id), [store, id]);
}
