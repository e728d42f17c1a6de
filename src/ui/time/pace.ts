const STEP_MS = 2_000;

/** How fast steps follow each other. The page's, not a screen's: going from one to another asks no faster. */
export interface Pace {
  /** Calls back when the next step may be taken, unless stopped before. */
  readonly next: (step: () => void) => () => void;
}

export interface PaceParts {
  /** Milliseconds that go on evenly. */
  readonly now: () => number;
  /** Calls back after so many milliseconds unless stopped. */
  readonly after: (ms: number, call: () => void) => () => void;
}

export function createPace({ now, after }: PaceParts): Pace {
  let nextAt = 0;
  return {
    next: (step) =>
      after(Math.max(0, nextAt - now()), () => {
        nextAt = now() + STEP_MS;
        step();
      }),
  };
}
