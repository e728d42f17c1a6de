import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { createFavouriteStore, type FavouriteStore } from './favourite-store.ts';
import styles from './markets-screen.module.css';

const FavouritesContext = createContext<FavouriteStore | null>(null);

export function FavouritesProvider({ children }: { readonly children: ReactNode }) {
  const [store] = useState(() => createFavouriteStore(window));
  return <FavouritesContext value={store}>{children}</FavouritesContext>;
}

function useStore(): FavouriteStore {
  const store = use(FavouritesContext);
  if (store === null) throw new Error('Favourites are read outside their provider.');
  return store;
}

export function useFavourites(): ReadonlySet<number> {
  const { subscribe, read } = useStore();
  return useSyncExternalStore(subscribe, read);
}

interface FavouriteStarProps {
  readonly productId: number;
  readonly symbol: string;
}

/** Hollow or filled: the shape says it, not the colour. */
export function FavouriteStar({ productId, symbol }: FavouriteStarProps) {
  const { toggle } = useStore();
  const marked = useFavourites().has(productId);
  return (
    <button
      type="button"
      className={styles['star']}
      tabIndex={-1}
      aria-pressed={marked}
      aria-label={`Favourite ${symbol}`}
      onClick={() => {
        toggle(productId);
      }}
    >
      <span aria-hidden="true">{marked ? '★' : '☆'}</span>
    </button>
  );
}
