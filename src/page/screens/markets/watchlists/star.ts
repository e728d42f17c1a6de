import type { Watchlist, WatchlistStore } from './watchlist-store.ts';

/** Shows which products are on a list, puts them on it and takes them off. */
export interface Star {
  readonly listName: () => string;
  readonly isOn: (productId: number) => boolean;
  readonly toggle: (productId: number) => void;
  readonly subscribe: WatchlistStore['subscribe'];
}

export function createStar({ read, subscribe, update }: WatchlistStore, listId: string): Star {
  const find = (): Watchlist | undefined => read().find(({ id }) => id === listId);
  const isOn = (productId: number): boolean => find()?.products.includes(productId) === true;
  return {
    listName: () => find()?.name ?? '',
    isOn,
    subscribe,
    toggle: (productId) => {
      // Another tab may have put it there meanwhile: then this star still offers to, and does.
      const wasOn = isOn(productId);
      update((lists) => lists.map((list) => (list.id === listId ? setProduct(list, productId, !wasOn) : list)));
    },
  };
}

function setProduct(list: Watchlist, productId: number, isOn: boolean): Watchlist {
  const others = list.products.filter((id) => id !== productId);
  return { ...list, products: isOn ? [...others, productId] : others };
}
