import { createListeners } from '../listeners.ts';

/** The bar under the crosshair. Kept outside React state because it changes with every pointer move. */
export interface Crosshair {
  readonly read: () => number | null;
  readonly set: (bar: number | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCrosshair(): Crosshair {
  const { notify, subscribe } = createListeners();
  let bar: number | null = null;
  return {
    read: () => bar,
    set: (next) => {
      if (next === bar) return;
      bar = next;
      notify();
    },
    subscribe,
  };
}
