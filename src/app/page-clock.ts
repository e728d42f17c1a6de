import { createClock, type Clock } from '#ui/time/clock.ts';
import { createPace, type Pace } from '#ui/time/pace.ts';

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

/** The pace at which this page asks for what nobody waits for. */
export function createPagePace(): Pace {
  return createPace({
    now: () => performance.now(),
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  });
}
