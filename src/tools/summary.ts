import { hasPassed, type FinishedStep } from './steps.ts';

const headings = ['part', 'passed', 'failed', 'not run', 'seconds'];

function cells(step: FinishedStep): string[] {
  return [step.name, String(step.passed), String(step.failed), String(step.notRun), step.seconds.toFixed(1)];
}

function line([name = '', ...numbers]: readonly string[]): string {
  return [name.padEnd(22), ...numbers.map((number) => number.padStart(9))].join('');
}

/** One row a part; below it, by name, what failed and what could not run. */
export function tableOf(finished: readonly FinishedStep[]): string {
  const rows = finished.map((step) => line(cells(step)));
  const failed = finished.filter((step) => step.failed > 0).map((step) => `failed: ${step.name}`);
  const notRun = finished.filter((step) => step.notRun > 0).map((step) => `not run: ${step.name} (${reasonOf(step)})`);
  return [line(headings), ...rows, ...failed, ...notRun].join('\n');
}

function reasonOf(step: FinishedStep): string {
  if (!hasPassed(step) && step.passed === 0 && step.failed === 0) return step.output.trim().split('\n').at(-1) ?? '';
  return `${String(step.notRun)} skipped`;
}
