import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** The result of a step: the counts of its checks or tests, and its output. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** The failed tests, each with the first line of its reason. A step that is a single check needs no name. */
  readonly failures: readonly string[];
  /**
   * What should have run and did not, by name. It counts as a failure, because a check that was not made has not
   * passed.
   */
  readonly notRun: readonly string[];
  readonly output: string;
  /** How long each test took, if the runner reports it. */
  readonly durations?: readonly { readonly name: string; readonly seconds: number }[];
  /** Whether the step did not run, because it has passed with the same inputs. */
  readonly isRemembered?: boolean;
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

export interface FinishedStep extends Outcome {
  readonly name: string;
  readonly seconds: number;
  /** The processor time of all its processes; absent if other steps run beside it or the system does not report it. */
  readonly processorSeconds?: number | undefined;
}

export interface StepsPort {
  /** Returns milliseconds, of which only differences matter. */
  readonly clock: () => number;
  /** Returns the processor time of all child processes that have ended; undefined if the system does not report it. */
  readonly processorSeconds: () => number | undefined;
  readonly print: (line: string) => void;
  readonly stop: AbortSignal;
}

export function hasPassed({ failed, notRun }: Pick<Outcome, 'failed' | 'notRun'>): boolean {
  return failed === 0 && notRun.length === 0;
}

/** Returns the outcome of a step that could not start. */
export function couldNotRun(reason: string, output = reason): Outcome {
  return { passed: 0, failed: 0, failures: [], notRun: [reason], output };
}

/** Returns the number of lanes. Two keep two cores busy; more than four would only compete for memory. */
export function lanes(): number {
  return Math.min(Math.max(availableParallelism(), 2), 4);
}

/** Runs the steps of a command on the terminal. After Ctrl-C the running ones end and no others start. */
export function terminalPort(): StepsPort {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  return {
    clock: () => performance.now(),
    processorSeconds: readProcessorSeconds,
    print: (line) => {
      console.log(line);
    },
    stop: stop.signal,
  };
}

const TICKS_PER_SECOND = 100;

function readProcessorSeconds(): number | undefined {
  try {
    // The name of the program, in parentheses, may itself contain spaces.
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user = NaN, system = NaN] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

function lineOf(step: FinishedStep): string {
  const verdict = step.isRemembered === true ? 'kept' : 'ok  ';
  return `${hasPassed(step) ? verdict : 'FAIL'}  ${step.name.padEnd(22)} ${step.seconds.toFixed(1).padStart(6)} s`;
}

async function finish({ name, run }: Step, isAlone: boolean, port: StepsPort): Promise<FinishedStep> {
  if (port.stop.aborted) return { ...couldNotRun('stopped before it started'), name, seconds: 0 };
  const [start, startProcessor] = [port.clock(), port.processorSeconds()];
  const outcome = await run().catch((error: unknown) => couldNotRun(String(error)));
  const seconds = (port.clock() - start) / 1000;
  const endProcessor = port.processorSeconds();
  const isKnown = isAlone && startProcessor !== undefined && endProcessor !== undefined;
  const finished = { ...outcome, name, seconds, processorSeconds: isKnown ? endProcessor - startProcessor : undefined };
  port.print(lineOf(finished));
  // Names come first, because the output of a tool is long and a truncated log keeps its beginning.
  for (const failure of finished.failures) port.print(`failed: ${failure}`);
  if (!hasPassed(finished)) port.print(finished.output.trimEnd());
  return finished;
}

/**
 * Runs every step to its end, `width` at a time. A step that fails does not stop the others. Steps start and are
 * returned in their order.
 */
export async function runSteps(steps: readonly Step[], width: number, port: StepsPort): Promise<FinishedStep[]> {
  const finished = new Map<Step, FinishedStep>();
  const waiting = steps.values();
  const lane = async (): Promise<void> => {
    for (const step of waiting) finished.set(step, await finish(step, width === 1, port));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return steps.flatMap((step) => finished.get(step) ?? []);
}

/** Runs the checks side by side, then each slow step with the machine to itself. The last line counts everything. */
export async function runTests(checks: readonly Step[], slowSteps: readonly Step[]): Promise<void> {
  const port = terminalPort();
  const [start, [load = 0]] = [port.clock(), loadavg()];
  const finished = [...(await runSteps(checks, lanes(), port)), ...(await runSteps(slowSteps, 1, port))];
  const minutes = ((port.clock() - start) / 60_000).toFixed(1);
  const processor = port.processorSeconds()?.toFixed(0) ?? 'unknown';
  console.log(`\nThe slowest tests:\n${slowestOf(finished)}`);
  console.log(`\n${tableOf(finished)}\n`);
  console.log(`${minutes} minutes, ${processor} processor seconds; load before: ${load.toFixed(1)}`);
  console.log(totalLine(finished));
  process.exitCode = finished.every(hasPassed) ? 0 : 1;
}

/**
 * Formats the line that machines read. The launcher prints the same line when it cannot start. What did not run counts
 * as failed.
 */
export function totalLine(finished: readonly FinishedStep[]): string {
  const failed = finished.reduce((all, step) => all + step.failed + step.notRun.length, 0);
  return `${String(passedOf(finished))} passed, ${String(failed)} failed`;
}

export function passedOf(finished: readonly FinishedStep[]): number {
  return finished.reduce((all, { passed }) => all + passed, 0);
}

const HEADINGS = ['part', 'passed', 'failed', 'not run', 'seconds', 'processor'];

/**
 * Formats a row for each part and, below it, the names of what was skipped as unchanged, what failed and what did not
 * run.
 */
export function tableOf(finished: readonly FinishedStep[]): string {
  const rows = finished.map((step) => [
    step.name,
    ...[step.passed, step.failed, step.notRun.length].map(String),
    step.seconds.toFixed(1),
    step.processorSeconds?.toFixed(1) ?? '',
  ]);
  const lines = [HEADINGS, ...rows].map(([name = '', ...numbers]) =>
    [name.padEnd(22), ...numbers.map((number) => number.padStart(11))].join('').trimEnd(),
  );
  const remembered = finished
    .filter(({ isRemembered }) => isRemembered === true)
    .map(({ name }) => `remembered: ${name}: passed before with the same sources`);
  const failed = finished.flatMap(({ name, failed: count, failures }) =>
    count > 0 && failures.length === 0 ? [`failed: ${name}`] : failures.map((what) => `failed: ${name}: ${what}`),
  );
  const notRun = finished.flatMap((step) => step.notRun.map((what) => `not run: ${step.name}: ${what}`));
  return [...lines, ...remembered, ...failed, ...notRun].join('\n');
}

const SLOWEST = 20;

/** Lists the slowest tests of all parts, one per line; empty if no runner reported durations. */
export function slowestOf(finished: readonly FinishedStep[]): string {
  return finished
    .flatMap((step) => (step.durations ?? []).map(({ name, seconds }) => ({ name: `${step.name}: ${name}`, seconds })))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
    .join('\n');
}
