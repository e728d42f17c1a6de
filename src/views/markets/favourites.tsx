import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { createFavouriteStore, type FavouriteStore } from './favourite-store.ts';

const FavouritesContext = createContext<FavouriteStore | null>(null);

export function FavouritesProvider({ children }: { readonly children: ReactNode }) {
  const [store] = useState(() => createFavouriteStore(window));
  return <FavouritesContext value={store}>{children}</FavouritesContext>;
}

export function useFavouriteStore(): FavouriteStore {
  const store = use(FavouritesContext);
  if (store === null) throw new Error('Favourites are read outside their provider.');
  return store;
}

export function useFavourites(): ReadonlySet<number> {
  const { subscribe, read } = useFavouriteStore();
  return useSyncExternalStore(subscribe, read);
}
