import { createListeners } from '../listeners.ts';

/** The time that screens count ages by; it beats once a second while somebody looks. */
export interface Clock {
  /** Epoch milliseconds at the last beat: the same for all that is drawn together. */
  readonly read: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface ClockParts {
  readonly now: () => number;
  /** Calls back every second until stopped. */
  readonly everySecond: (beat: () => void) => () => void;
  readonly isHidden: () => boolean;
  readonly onVisible: (listener: () => void) => void;
}

export function createClock({ now, everySecond, isHidden, onVisible }: ClockParts): Clock {
  let time = now();
  const beat = (): void => {
    if (isHidden()) return;
    time = now();
    tell();
  };
  const { tell, subscribe } = createListeners(() => {
    time = now();
    return everySecond(beat);
  });
  onVisible(beat);
  return { read: () => time, subscribe };
}
