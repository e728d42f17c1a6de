import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { ToolRun } from './run-tool.ts';
import type { Outcome } from './steps.ts';

type Counts = Omit<Outcome, 'output'>;

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly { readonly projectName: string; readonly status: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly unknown[];
}

/** A file that could not be loaded holds no test that could have failed, so it counts as one itself. */
export function readVitestReport(file: string, root: string): Counts {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const unloadable = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ status, name: `${relative(root, name)} > ${fullName}` })),
  );
  const passed = tests.filter(({ status }) => status === 'passed');
  const failed = tests.filter(({ status }) => status === 'failed');
  const notRun = tests.filter((test) => !passed.includes(test) && !failed.includes(test));
  return {
    passed: passed.length,
    failed: failed.length + unloadable.length,
    notRun: notRun.map(({ name }) => name),
  };
}

function specsOf(suite: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** A test that needed a second try has failed once: it is no proof of anything. */
export function readPlaywrightReport(file: string): Counts {
  const { suites, errors } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const tests = suites.flatMap(specsOf).flatMap(({ title, file: path, tests: runs }) =>
    runs.map(({ status, projectName }) => ({ status, name: `${path} > ${title}${projectName && ` (${projectName})`}` })),
  );
  const notRun = tests.filter(({ status }) => status === 'skipped');
  const passed = tests.filter(({ status }) => status === 'expected');
  return {
    passed: passed.length,
    failed: tests.length - passed.length - notRun.length + errors.length,
    notRun: notRun.map(({ name }) => name),
  };
}

/** A runner that ends badly although no test failed (an error between tests, an empty suite) counts as one failure. */
export function withExitCode(counts: Counts, { code, output }: ToolRun): Outcome {
  const unexplained = code !== 0 && counts.failed === 0;
  return { ...counts, failed: unexplained ? 1 : counts.failed, output };
}
