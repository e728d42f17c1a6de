import { useMemo, useState, useSyncExternalStore } from 'react';
import { createChosenList, createStar, createWatchlistStore, FIRST_LIST } from './watchlist-store.ts';

/** Whether a product is on the current watchlist, and a function that adds or removes it. */
export function useProductStar(productId: number) {
  const [{ store, chosen }] = useState(() => ({
    store: createWatchlistStore(window),
    chosen: createChosenList(window).read(),
  }));
  const lists = useSyncExternalStore(store.subscribe, store.read);
  const { id } = lists.find((list) => list.id === chosen) ?? lists[0] ?? FIRST_LIST;
  const star = useMemo(() => createStar(store, id), [store, id]);
  return {
    listName: star.listName(),
    isOn: star.isOn(productId),
    toggle: () => {
      star.toggle(productId);
    },
  };
}
