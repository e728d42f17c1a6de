import { readFileSync } from 'node:fs';
import type { Outcome } from './steps.ts';
import type { ToolRun } from './run-tool.ts';

type Counts = Omit<Outcome, 'output'>;

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>;
}

export function countVitest(report: VitestReport): Counts {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    notRun: report.numPendingTests + report.numTodoTests,
  };
}

/** A test that needed a second try has failed once: it is no proof of anything. */
export function countPlaywright({ stats }: PlaywrightReport): Counts {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, notRun: stats.skipped };
}

/** A runner that ends badly although no test failed (a file that does not load, an empty suite) counts as one failure. */
export function withExitCode(counts: Counts, { code, output }: ToolRun): Outcome {
  const unexplained = code !== 0 && counts.failed === 0;
  return { ...counts, failed: unexplained ? 1 : counts.failed, output };
}

function readReport(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function readVitestReport(file: string): Counts {
  return countVitest(readReport(file) as VitestReport);
}

export function readPlaywrightReport(file: string): Counts {
  return countPlaywright(readReport(file) as PlaywrightReport);
}
