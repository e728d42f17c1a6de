import { createClock, type Clock } from '#ui/time/clock.ts';

/** The clock of this browser; it rests while the page is hidden. */
export function createPageClock(): Clock {
  return createClock({
    now: () => Date.now(),
    everySecond: (beat) => {
      const timer = setInterval(beat, 1_000);
      return () => {
        clearInterval(timer);
      };
    },
    isHidden: () => document.hidden,
    onVisible: (listener) => {
      document.addEventListener('visibilitychange', listener);
    },
  });
}
