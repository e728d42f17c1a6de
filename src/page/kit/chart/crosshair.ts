import { createListeners } from '../listeners.ts';

/** The bar under the crosshair. Kept outside React state because it changes with every pointer move. */
export interface Crosshair {
  readonly read: () => number | null;
  readonly set: (bar: number | null) => void;
  /** Sets it to what is under the pointer, which may be another bar as soon as data or view change. */
  readonly follow: (bar: number | null) => void;
  /** Whether it follows the pointer; otherwise it keeps its bar. */
  readonly isFollowing: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCrosshair(): Crosshair {
  const { notify, subscribe } = createListeners();
  let bar: number | null = null;
  let isFollowing = false;
  const change = (next: number | null): void => {
    if (next === bar) return;
    bar = next;
    notify();
  };
  return {
    read: () => bar,
    set: (next) => {
      isFollowing = false;
      change(next);
    },
    follow: (next) => {
      isFollowing = true;
      change(next);
    },
    isFollowing: () => isFollowing,
    subscribe,
  };
}
