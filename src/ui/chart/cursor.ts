import { createListeners } from '../listeners.ts';

/** Which bar the reader points at. Apart from the page's state, since it changes with every move of the pointer. */
export interface Cursor {
  readonly read: () => number | null;
  readonly set: (bar: number | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCursor(): Cursor {
  const { tell, subscribe } = createListeners();
  let bar: number | null = null;
  return {
    read: () => bar,
    set: (next) => {
      if (next === bar) return;
      bar = next;
      tell();
    },
    subscribe,
  };
}
