import { createContext, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useRequiredContext } from '#ui/use-required-context.ts';
import { createFavouriteStore, type FavouriteStore } from './favourite-store.ts';

const FavouritesContext = createContext<FavouriteStore | null>(null);

export function FavouritesProvider({ children }: { readonly children: ReactNode }) {
  const [store] = useState(() => createFavouriteStore(window));
  return <FavouritesContext value={store}>{children}</FavouritesContext>;
}

export function useFavouriteStore(): FavouriteStore {
  return useRequiredContext(FavouritesContext, 'favourites');
}

export function useFavourites(): ReadonlySet<number> {
  const { subscribe, read } = useFavouriteStore();
  return useSyncExternalStore(subscribe, read);
}
