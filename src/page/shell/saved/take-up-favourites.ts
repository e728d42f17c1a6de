import { createWatchlistStore } from '#page/screens/markets/watchlists/watchlist-store.ts';
import { toStorageKey } from '#page/kit/saved/saved-record.ts';
import type { Frame } from '#page/kit/stored-value.ts';

/** Stores the one list that there was before there were several as a watchlist, so that those of another browser do not hide it. */
export function takeUpFavourites(frame: Frame): void {
  const has = (name: string): boolean => frame.localStorage.getItem(toStorageKey(name)) !== null;
  if (has('favourites') && !has('watchlists')) createWatchlistStore(frame).update((lists) => lists);
}
