import { hasPassed, type FinishedStep } from './steps.ts';

const headings = ['part', 'passed', 'failed', 'not run', 'seconds', 'processor'];

export interface Total {
  readonly passed: number;
  readonly failed: number;
}

/** What did not run counts as failed. */
export function totalOf(finished: readonly FinishedStep[]): Total {
  const sum = (count: (step: FinishedStep) => number): number => finished.reduce((all, step) => all + count(step), 0);
  return { passed: sum((step) => step.passed), failed: sum((step) => step.failed + step.notRun.length) };
}

export function failedNames(finished: readonly FinishedStep[]): string[] {
  return finished.filter((step) => !hasPassed(step)).map((step) => step.name);
}

/** The line that machines read; the launcher prints the same when it cannot start. */
export function totalLine({ passed, failed }: Total): string {
  return `${String(passed)} passed, ${String(failed)} failed`;
}

function cells(step: FinishedStep): string[] {
  return [
    step.name,
    String(step.passed),
    String(step.failed),
    String(step.notRun.length),
    step.seconds.toFixed(1),
    step.processorSeconds?.toFixed(1) ?? '',
  ];
}

function line([name = '', ...numbers]: readonly string[]): string {
  return [name.padEnd(22), ...numbers.map((number) => number.padStart(11))].join('').trimEnd();
}

const SLOWEST = 20;

/** The slowest tests of all parts, a line each; empty where no runner reported durations. */
export function slowestOf(finished: readonly FinishedStep[]): string {
  const all = finished.flatMap((step) =>
    (step.durations ?? []).map(({ name, seconds }) => ({ name: `${step.name}: ${name}`, seconds })),
  );
  const slowest = all.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  return slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`).join('\n');
}

/** A row for each part; below it, by name, what is remembered, what failed and what did not run. */
export function tableOf(finished: readonly FinishedStep[]): string {
  const rows = finished.map((step) => line(cells(step)));
  const kept = finished
    .filter((step) => step.isRemembered === true)
    .map(({ name }) => `remembered: ${name}: passed before with the same sources`);
  const failed = finished
    .filter((step) => step.failed > 0)
    .flatMap((step) =>
      step.failures.length === 0
        ? [`failed: ${step.name}`]
        : step.failures.map((what) => `failed: ${step.name}: ${what}`),
    );
  const notRun = finished.flatMap((step) => step.notRun.map((what) => `not run: ${step.name}: ${what}`));
  return [line(headings), ...rows, ...kept, ...failed, ...notRun].join('\n');
}
