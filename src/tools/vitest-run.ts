import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolderOf } from './paths.mjs';
import { readVitestReport, withExitCode } from './reports.ts';
import { runTool } from './run-tool.ts';
import { couldNotRun, type Outcome } from './steps.ts';

/** Runs a Vitest project and counts its tests from its report. */
export async function runVitest(
  root: string,
  project: string,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  mkdirSync(cacheFolderOf(root), { recursive: true });
  const report = join(cacheFolderOf(root), `vitest-${project}-${process.pid}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const ran = await runTool(root, [vitest, 'run', '--project', project, ...options, ...reporters], env);
  try {
    return withExitCode(readVitestReport(report, root), ran);
  } catch {
    return couldNotRun(`vitest left no report of the project "${project}"`, ran.output);
  } finally {
    rmSync(report, { force: true });
  }
}
