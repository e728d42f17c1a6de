export interface TestDuration {
  readonly name: string;
  readonly seconds: number;
}

/** The result of a step: its checks or tests, counted, and what it printed. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The failed tests, each with the first line of its reason; a step that is a single check needs no name. */
  readonly failures: readonly string[];
  /** How long each test took, where the runner reports it. */
  readonly durations?: readonly TestDuration[];
  /** What should have run and did not, by name. It counts as a failure: a check that was not made has not passed. */
  readonly notRun: readonly string[];
  readonly output: string;
  /** Of all of its processes; absent where other steps run beside it, or the system does not say. */
  readonly processorSeconds?: number;
  /** It did not run, since it passed before with the same inputs. */
  readonly isRemembered?: boolean;
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
  /** Milliseconds; only differences count. */
  readonly clock: () => number;
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

export function hasPassed({ failed, notRun }: Pick<Outcome, 'failed' | 'notRun'>): boolean {
  return failed === 0 && notRun.length === 0;
}

/** The outcome of a step that could not begin. */
export function couldNotRun(reason: string, output = reason): Outcome {
  return { passed: 0, failed: 0, failures: [], notRun: [reason], output };
}

function lineOf(step: FinishedStep): string {
  const verdict = step.isRemembered === true ? 'kept' : 'ok  ';
  return `${hasPassed(step) ? verdict : 'FAIL'}  ${step.name.padEnd(22)} ${step.seconds.toFixed(1).padStart(6)} s`;
}

async function outcomeOf(step: Step): Promise<Outcome> {
  try {
    return await step.run();
  } catch (error) {
    return couldNotRun(String(error));
  }
}

async function finish(step: Step, { clock, print, stop }: StepsPort): Promise<FinishedStep> {
  if (stop.aborted) return { ...couldNotRun('stopped before it started'), name: step.name, seconds: 0 };
  const start = clock();
  const outcome = await outcomeOf(step);
  const finished = { ...outcome, name: step.name, seconds: (clock() - start) / 1000 };
  print(lineOf(finished));
  // Names first: the output of a tool is long, and a truncated log keeps its beginning.
  for (const failure of finished.failures) print(`failed: ${failure}`);
  if (!hasPassed(finished)) print(finished.output.trimEnd());
  return finished;
}

/** Runs every step to its end, `width` at a time; one that fails stops none of the others. Starts and returns them in their order. */
export async function runSteps(steps: readonly Step[], width: number, port: StepsPort): Promise<FinishedStep[]> {
  const finished = new Map<Step, FinishedStep>();
  const waiting = steps.values();
  const lane = async (): Promise<void> => {
    for (const step of waiting) finished.set(step, await finish(step, port));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return steps.flatMap((step) => finished.get(step) ?? []);
}
