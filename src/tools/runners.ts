import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { run } from '#cli/run.mjs';
import { findBrowser } from './browser.ts';
import { cacheFolderOf } from './paths.mjs';
import { couldNotRun, lanes, type Outcome } from './steps.ts';

export interface ToolRun {
  readonly code: number;
  readonly output: string;
}

type Environment = Readonly<Record<string, string>>;

/**
 * The limit on a tool, because one that hangs must not keep the rest from running. The browser tests take half of it,
 * and nearly all of it on a slow machine.
 */
const limitMs = 65 * 60_000;

/** Runs an installed tool on this Node.js. Both of its outputs go to one file, so they keep their order. */
export async function runTool(root: string, args: readonly string[], env: Environment = {}): Promise<ToolRun> {
  mkdirSync(cacheFolderOf(root), { recursive: true });
  const folder = mkdtempSync(join(cacheFolderOf(root), 'run-'));
  const file = join(folder, 'output');
  const output = openSync(file, 'w');
  try {
    const code = await run(process.execPath, args, {
      cwd: root,
      // Tests start our programs many times. With the compile cache, each start takes two thirds of the time.
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(cacheFolderOf(root), 'node'),
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        ...env,
      },
      stdio: ['ignore', output, output],
      timeout: limitMs,
    });
    return { code, output: readFileSync(file, 'utf8') };
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a report says about a test, or about what kept tests from running. */
interface TestResult {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'not run';
  readonly milliseconds?: number | undefined;
  readonly reason?: string | undefined;
}

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

/**
 * Reads the tests of a report. A file that could not be loaded contains no test that could fail, so the file itself
 * counts as one failure.
 */
function readVitestReport({ testResults }: VitestReport, root: string): TestResult[] {
  return testResults.flatMap(({ name: path, status: ofFile, message, assertionResults }): TestResult[] => {
    const file = relative(root, path);
    if (ofFile === 'failed' && assertionResults.length === 0)
      return [{ name: file, verdict: 'failed', reason: message }];
    return assertionResults.map(({ fullName, status, duration, failureMessages: [reason] }) => ({
      name: `${file} > ${fullName}`,
      verdict: status === 'passed' || status === 'failed' ? status : 'not run',
      milliseconds: duration ?? 0,
      reason,
    }));
  });
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

function specsOf(suite: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** Reads the tests of a report. A test that passed on the second try has failed once, so it counts as failed. */
function readPlaywrightReport({ suites, errors }: PlaywrightReport): TestResult[] {
  const tests = suites.flatMap(specsOf).flatMap(({ title, file, tests: runs }) =>
    runs.map(({ status, projectName, results }): TestResult => {
      const name = `${file} > ${title}${projectName && ` (${projectName})`}`;
      const verdict = status === 'expected' ? 'passed' : status === 'skipped' ? 'not run' : 'failed';
      const milliseconds = results.reduce((total, { duration }) => total + duration, 0);
      return { name, verdict, milliseconds, reason: results.find(({ error }) => error)?.error?.message };
    }),
  );
  return [
    ...tests,
    ...errors.map(({ message }) => ({ name: 'outside of any test', verdict: 'failed' as const, reason: message })),
  ];
}

function withReason({ name, reason = '' }: TestResult): string {
  const [firstLine = ''] = stripVTControlCharacters(reason).trim().split('\n', 1);
  return firstLine === '' ? name : `${name}: ${firstLine}`;
}

/**
 * Counts the tests. A runner that fails although no test failed (an error between tests, an empty suite) counts as one
 * failure.
 */
function toOutcome(tests: readonly TestResult[], { code, output }: ToolRun): Outcome {
  const thatAre = (wanted: TestResult['verdict']): TestResult[] => tests.filter(({ verdict }) => verdict === wanted);
  const failures = thatAre('failed').map(withReason);
  return {
    passed: thatAre('passed').length,
    failed: code !== 0 ? Math.max(failures.length, 1) : failures.length,
    failures,
    notRun: thatAre('not run').map(({ name }) => name),
    output,
    durations: tests.flatMap(({ name, milliseconds }) =>
      milliseconds === undefined ? [] : [{ name, seconds: milliseconds / 1000 }],
    ),
  };
}

/** Reads the report that a runner left, and removes it. */
function takeReport(file: string, ran: ToolRun, read: (json: unknown) => TestResult[]): Outcome | null {
  try {
    return toOutcome(read(JSON.parse(readFileSync(file, 'utf8'))), ran);
  } catch {
    return null;
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Returns the option to use all cores: by default Vitest leaves one idle, which is half of a small machine. Tests that
 * mostly wait get `more` workers.
 */
export function onAllCores(more = 0): readonly string[] {
  return [`--maxWorkers=${String(lanes() + more)}`];
}

/** Runs a Vitest project and counts its tests from its report. */
export async function runVitest(
  root: string,
  project: string,
  options: readonly string[] = [],
  env: Environment = {},
): Promise<Outcome> {
  const report = join(cacheFolderOf(root), `vitest-${project}-${process.pid}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const ran = await runTool(root, [vitest, 'run', '--project', project, ...options, ...reporters], env);
  return (
    takeReport(report, ran, (json) => readVitestReport(json as VitestReport, root)) ??
    couldNotRun(`vitest left no report of the project "${project}"`, ran.output)
  );
}

/**
 * Runs the component tests in one browser, whose pages stay open and use no network. React is built as it ships, which
 * draws in four fifths of the time.
 */
export async function runComponentTests(
  root: string,
  options: readonly string[] = [],
  env: Environment = {},
): Promise<Outcome> {
  const found = await findBrowser();
  if ('problem' in found) return couldNotRun(found.problem);
  return runVitest(root, 'component', [...onAllCores(1), ...options], {
    PERPDESK_BROWSER: found.path,
    NODE_ENV: 'production',
    ...env,
  });
}

export async function runBrowserTests(root: string, options: readonly string[] = []): Promise<Outcome> {
  const found = await findBrowser();
  if ('problem' in found) return couldNotRun(found.problem);
  const report = join(cacheFolderOf(root), `playwright-${process.pid}.json`);
  const playwright = join('node_modules', '.bin', 'playwright');
  const ran = await runTool(root, [playwright, 'test', '-c', 'e2e', '--reporter=list,json', ...options], {
    PERPDESK_BROWSER: found.path,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return (
    takeReport(report, ran, (json) => readPlaywrightReport(json as PlaywrightReport)) ??
    couldNotRun('playwright left no report', ran.output)
  );
}
