import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './paths.mjs';
import { readVitestReport, withExitCode } from './reports.ts';
import { runTool } from './run-tool.ts';
import type { Outcome } from './steps.ts';

/** Runs vitest projects and counts their tests from its own report. */
export async function runVitest(projects: readonly string[]): Promise<Outcome> {
  mkdirSync(cacheFolder, { recursive: true });
  const report = join(cacheFolder, `vitest-${projects.join('-')}.json`);
  rmSync(report, { force: true });
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const ran = await runTool([join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...chosen, ...reporters]);
  try {
    return withExitCode(readVitestReport(report), ran);
  } catch {
    return { passed: 0, failed: 0, notRun: 1, output: `${ran.output}\nvitest left no report of ${projects.join(', ')}` };
  }
}
