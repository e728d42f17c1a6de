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
  const listeners = new Set<() => void>();
  let time = now();
  let stop = (): void => undefined;
  const beat = (): void => {
    if (isHidden()) return;
    time = now();
    for (const listener of listeners) listener();
  };
  onVisible(beat);
  return {
    read: () => time,
    subscribe: (listener) => {
      if (listeners.size === 0) {
        time = now();
        stop = everySecond(beat);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}
