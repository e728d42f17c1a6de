import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ToolRun } from './run-tool.ts';
import type { Outcome, TestDuration } from './steps.ts';

type Counts = Omit<Outcome, 'output'>;

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly projectName: string;
      readonly status: string;
      readonly results: readonly { readonly duration: number; readonly error?: { readonly message?: string } }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

function withReason(name: string, reason = ''): string {
  const [firstLine = ''] = stripVTControlCharacters(reason).trim().split('\n', 1);
  return firstLine === '' ? name : `${name}: ${firstLine}`;
}

/** A file that could not be loaded holds no test that could fail, so it counts as one failure itself. */
export function readVitestReport(file: string, root: string): Counts {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const files = testResults.map((file) => ({ ...file, name: relative(root, file.name) }));
  const unloadable = files.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration, failureMessages }) => ({
      name: `${name} > ${fullName}`,
      status,
      duration,
      message: failureMessages[0],
    })),
  );
  const passed = tests.filter(({ status }) => status === 'passed');
  const failed = tests.filter(({ status }) => status === 'failed');
  const notRun = tests.filter((test) => !passed.includes(test) && !failed.includes(test));
  const failures = [...unloadable, ...failed].map(({ name, message }) => withReason(name, message));
  return {
    passed: passed.length,
    failed: failures.length,
    failures,
    durations: durationsOf(tests),
    notRun: notRun.map(({ name }) => name),
  };
}

function durationsOf(
  tests: readonly { readonly name: string; readonly duration?: number | null | undefined }[],
): TestDuration[] {
  return tests.map(({ name, duration }) => ({ name, seconds: (duration ?? 0) / 1_000 }));
}

function specsOf(suite: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** A test that passed on a second try has failed once, so it counts as failed. */
export function readPlaywrightReport(file: string): Counts {
  const { suites, errors } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const tests = suites.flatMap(specsOf).flatMap(({ title, file: path, tests: runs }) =>
    runs.map(({ status, projectName, results }) => ({
      status,
      name: `${path} > ${title}${projectName && ` (${projectName})`}`,
      duration: results.reduce((total, { duration }) => total + duration, 0),
      message: results.find(({ error }) => error)?.error?.message,
    })),
  );
  const passed = tests.filter(({ status }) => status === 'expected');
  const notRun = tests.filter(({ status }) => status === 'skipped');
  const failed = tests.filter((test) => !passed.includes(test) && !notRun.includes(test));
  const failures = [
    ...failed.map(({ name, message }) => withReason(name, message)),
    ...errors.map(({ message }) => withReason('outside of any test', message)),
  ];
  return {
    passed: passed.length,
    failed: failures.length,
    failures,
    durations: durationsOf(tests),
    notRun: notRun.map(({ name }) => name),
  };
}

/** A runner that ends badly although no test failed (an error between tests, an empty suite) counts as one failure. */
export function withExitCode(counts: Counts, { code, output }: ToolRun): Outcome {
  const unexplained = code !== 0 && counts.failed === 0;
  return { ...counts, failed: unexplained ? 1 : counts.failed, output };
}
