import { createListeners } from '../listeners.ts';

/** The time that screens compute ages from; it ticks once a second while the page is visible. */
export interface Clock {
  /** Epoch milliseconds at the last tick: the same for everything rendered together. */
  readonly read: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface ClockParts {
  readonly now: () => number;
  /** Calls back every second until stopped. */
  readonly everySecond: (tick: () => void) => () => void;
  readonly isHidden: () => boolean;
  readonly onVisible: (listener: () => void) => void;
}

export function createClock({ now, everySecond, isHidden, onVisible }: ClockParts): Clock {
  let time = now();
  const tick = (): void => {
    if (isHidden()) return;
    time = now();
    notify();
  };
  const { notify, subscribe } = createListeners(() => {
    time = now();
    return everySecond(tick);
  });
  onVisible(tick);
  return { read: () => time, subscribe };
}
