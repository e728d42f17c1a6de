import type { Store } from '#venue/core/ports.ts';
import { openStore } from '#venue/store/open-store.ts';
import { callbacks } from './sample-orders.ts';

/** A place where a store can be opened, closed and reopened. */
export interface StoreLocation {
  readonly path: string;
  readonly open: () => Promise<Store>;
}

/** Returns an empty location each time. */
export type NewLocation = () => StoreLocation;

export function locationAt(path: string): StoreLocation {
  return { path, open: () => openStore(path, callbacks) };
}

/** Runs a test on a new, empty store and closes it. */
export async function withStore<T>(newPlace: NewLocation, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await newPlace().open();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
