import type { TableFeatures } from '@tanstack/table-core';

type Reactivity = NonNullable<TableFeatures['coreReactivityFeature']>;

const nothing = (): void => undefined;
const unsubscribed = { unsubscribe: nothing };

/** For a table of the library that is made for one state and asked at once: nothing in it changes, and nobody listens. */
export const stillReactivity: Reactivity = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: nothing,
  createReadonlyAtom: (read) => ({ get: read, subscribe: () => unsubscribed }),
  createWritableAtom: <T>(initial: T) => {
    let value = initial;
    const set = (next: T | ((before: T) => T)): void => {
      value = typeof next === 'function' ? (next as (before: T) => T)(value) : next;
    };
    return { get: () => value, set, subscribe: () => unsubscribed };
  },
  untrack: (read) => read(),
  batch: (step) => {
    step();
  },
  schedule: nothing,
};
