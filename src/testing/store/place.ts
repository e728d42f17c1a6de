import type { Store } from '#venue/ports.ts';
import { openStore } from '#venue/store/open-store.ts';
import { nouns } from './sample-orders.ts';

/** Where a store can be opened, closed and opened again. */
export interface Place {
  readonly spec: string;
  readonly open: () => Promise<Store>;
}

/** Gives an empty place each time. */
export type NewPlace = () => Promise<Place>;

export function placeAt(spec: string): Place {
  return { spec, open: () => openStore(spec, nouns) };
}

/** Runs a test on a new, empty store and closes it. */
export async function withStore<T>(newPlace: NewPlace, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await (await newPlace()).open();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
