import { availableParallelism } from 'node:os';
import type { StepsPort } from './steps.ts';

/** Two lanes keep two cores busy; more than four only compete for memory. */
export function lanes(): number {
  return Math.min(Math.max(availableParallelism(), 2), 4);
}

/** By default Vitest leaves a core idle: half of a small machine. */
export function onAllCores(): readonly string[] {
  return [`--maxWorkers=${String(lanes())}`];
}

/** For tests that wait much of their time. */
export function onMoreThanAllCores(): readonly string[] {
  return [`--maxWorkers=${String(lanes() + 1)}`];
}

/** Steps of a command on the terminal; after Ctrl-C the running ones end and no other starts. */
export function terminalPort(): StepsPort {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  return {
    clock: () => performance.now(),
    print: (line) => {
      console.log(line);
    },
    stop: stop.signal,
  };
}
