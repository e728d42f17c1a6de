import type { Schedule } from '#server/core/ports.ts';

export interface LoopParts {
  /** Does one thing, and returns for how long there is nothing more to do. */
  readonly turn: () => Promise<number>;
  readonly mayRun: () => boolean;
  readonly schedule: Schedule;
  /** Returns after how long it is tried again. */
  readonly failed: (error: unknown) => number;
}

/** Work that comes up at any time, done one thing after another. */
export interface Loop {
  /** There may be something to do; nobody waits for it. */
  readonly wake: () => void;
  /** Resolves once the turn that is under way has ended. No other begins. */
  readonly stop: () => Promise<void>;
}

export function createLoop({ turn, mayRun, schedule, failed }: LoopParts): Loop {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let isOpen = true;
  let wakes = 0;
  let cancel = (): void => undefined;

  const run = async (): Promise<void> => {
    let seen;
    let wait = 0;
    try {
      do {
        seen = wakes;
        do wait = isOpen && mayRun() ? await turn().catch(failed) : Infinity;
        while (wait <= 0);
      } while (seen !== wakes);
      if (Number.isFinite(wait) && isOpen) cancel = schedule(wait, wake);
    } finally {
      // In the same moment as the last look at the wakes: one in between would have no turn.
      isRunning = false;
    }
  };
  const wake = (): void => {
    wakes += 1;
    if (isRunning) return;
    cancel();
    isRunning = true;
    running = run();
  };
  return {
    wake,
    stop: async () => {
      isOpen = false;
      cancel();
      await running;
    },
  };
}
