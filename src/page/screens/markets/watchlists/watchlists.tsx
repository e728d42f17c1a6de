import { createContext, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useRequiredContext } from '#page/kit/use-required-context.ts';
import { listFilter } from '#model/tables/markets/market-list.ts';
import {
  createChosenList,
  createStar,
  createWatchlistStore,
  FIRST_LIST,
  type Star,
  type Watchlist,
  type WatchlistStore,
} from '#page/panels/products/watchlist-store.ts';

interface Stores {
  readonly lists: WatchlistStore;
  readonly chosen: ReturnType<typeof createChosenList>;
}

const StoresContext = createContext<Stores | null>(null);

export function WatchlistsProvider({ children }: { readonly children: ReactNode }) {
  const [stores] = useState(() => ({
    lists: createWatchlistStore(window),
    chosen: createChosenList(window),
  }));
  return <StoresContext value={stores}>{children}</StoresContext>;
}

export interface Watchlists {
  readonly lists: readonly Watchlist[];
  readonly update: WatchlistStore['update'];
  /** The list that the star changes: the list shown or, if none, the one chosen last. */
  readonly current: Watchlist;
  /** The list named in the address. Null: all products are shown. Undefined: this browser does not have the list. */
  readonly shown: Watchlist | null | undefined;
  /** Makes a list current, and shows either it or all products. */
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

/**
 * Returns the products on the list named in the address; empty if this browser does not have it, null for all products.
 */
export function useListed(): ReadonlySet<number> | null {
  const { shown } = useWatchlists();
  return useMemo(() => (shown === null ? null : new Set(shown?.products)), [shown]);
}

/** Returns the star of the current list. The object stays the same until another list becomes current. */
export function useStar(): Star {
  const { lists: store } = useRequiredContext(StoresContext, 'watchlists');
  const { id } = useWatchlists().current;
  return useMemo(() => createStar(store, id), [store, id]);
}
