/** Seventeen perpetuals, four a step, are read within about two seconds. */
const STEP_MS = 500;

/** Spaces out steps. One for the whole page, so that switching screens does not speed it up. */
export interface Throttle {
  /** Calls back when the next step is allowed, unless cancelled before. */
  readonly next: (step: () => void) => () => void;
}

export interface ThrottleParts {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Calls back after a delay unless cancelled. */
  readonly setTimer: (ms: number, call: () => void) => () => void;
}

export function createThrottle({ now, setTimer }: ThrottleParts): Throttle {
  let nextAt = 0;
  return {
    next: (step) =>
      setTimer(Math.max(0, nextAt - now()), () => {
        nextAt = now() + STEP_MS;
        step();
      }),
  };
}
