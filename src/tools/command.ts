import { availableParallelism } from 'node:os';
import { hasPassed, type FinishedStep, type StepsPort } from './steps.ts';

export interface Total {
  readonly passed: number;
  readonly failed: number;
}

/** What could not run counts as failed: a check that nobody made is not a check that passed. */
export function totalOf(finished: readonly FinishedStep[]): Total {
  const sum = (count: (step: FinishedStep) => number): number => finished.reduce((all, step) => all + count(step), 0);
  return { passed: sum((step) => step.passed), failed: sum((step) => step.failed + step.notRun) };
}

export function failedNames(finished: readonly FinishedStep[]): string[] {
  return finished.filter((step) => !hasPassed(step)).map((step) => step.name);
}

/** Two lanes keep two cores busy; more than four only wait for memory. */
export function lanes(): number {
  return Math.min(Math.max(availableParallelism(), 2), 4);
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
