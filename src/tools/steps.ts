/** What came of a step: its checks or tests, counted, and what it printed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** What should have run and did not. It counts as a failure. */
  readonly notRun: number;
  readonly output: string;
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

export interface FinishedStep extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

export interface StepsPort {
  /** Milliseconds, only ever compared with each other. */
  readonly clock: () => number;
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

export function hasPassed({ failed, notRun }: Pick<Outcome, 'failed' | 'notRun'>): boolean {
  return failed === 0 && notRun === 0;
}

function lineOf(step: FinishedStep): string {
  return `${hasPassed(step) ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(20)} ${step.seconds.toFixed(1).padStart(6)} s`;
}

async function outcomeOf(step: Step): Promise<Outcome> {
  try {
    return await step.run();
  } catch (error) {
    return { passed: 0, failed: 0, notRun: 1, output: `could not run: ${String(error)}` };
  }
}

async function finish(step: Step, { clock, print, stop }: StepsPort): Promise<FinishedStep> {
  if (stop.aborted) return { name: step.name, seconds: 0, passed: 0, failed: 0, notRun: 1, output: 'stopped' };
  const start = clock();
  const outcome = await outcomeOf(step);
  const finished = { ...outcome, name: step.name, seconds: (clock() - start) / 1000 };
  print(lineOf(finished));
  if (!hasPassed(finished)) print(finished.output.trimEnd());
  return finished;
}

/** Runs every step to its end, `width` at a time, in the order given; one that fails stops none of the others. */
export async function runSteps(steps: readonly Step[], width: number, port: StepsPort): Promise<FinishedStep[]> {
  const finished: FinishedStep[] = [];
  const waiting = steps.values();
  const lane = async (): Promise<void> => {
    for (const step of waiting) finished.push(await finish(step, port));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return finished;
}
