import type { Clock } from '#model/tables/clock.ts';
import { createListeners } from '../listeners.ts';

export interface ClockInputs {
  readonly now: () => number;
  /** Calls back every second until stopped. */
  readonly everySecond: (tick: () => void) => () => void;
  readonly isHidden: () => boolean;
  readonly onVisible: (listener: () => void) => void;
}

export function createClock({ now, everySecond, isHidden, onVisible }: ClockInputs): Clock {
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
