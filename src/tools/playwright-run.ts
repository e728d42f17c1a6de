import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { machineProbes } from './browser-probes.ts';
import { onMoreThanAllCores } from './command.ts';
import { findBrowser } from './browser.ts';
import { cacheFolderOf } from './paths.mjs';
import { readPlaywrightReport, withExitCode } from './reports.ts';
import { runTool } from './run-tool.ts';
import { couldNotRun, type Outcome } from './steps.ts';
import { runVitest } from './vitest-run.ts';

async function runPlaywright(root: string, browser: string, options: readonly string[]): Promise<Outcome> {
  mkdirSync(cacheFolderOf(root), { recursive: true });
  const report = join(cacheFolderOf(root), `playwright-${process.pid}.json`);
  const ran = await runTool(
    root,
    [join('node_modules', '.bin', 'playwright'), 'test', '-c', 'e2e', '--reporter=list,json', ...options],
    {
      PERPDESK_BROWSER: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    },
  );
  try {
    return withExitCode(readPlaywrightReport(report), ran);
  } catch {
    return couldNotRun('playwright left no report', ran.output);
  } finally {
    rmSync(report, { force: true });
  }
}

export async function runBrowserTests(root: string, options: readonly string[] = []): Promise<Outcome> {
  const found = await findBrowser(machineProbes());
  return 'problem' in found ? couldNotRun(found.problem) : runPlaywright(root, found.path, options);
}

/** In the same browser: pages that stay open, without a network. React is built as it ships, which draws in four fifths of the time. */
export async function runComponentTests(
  root: string,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const found = await findBrowser(machineProbes());
  return 'problem' in found
    ? couldNotRun(found.problem)
    : runVitest(root, 'component', [...onMoreThanAllCores(), ...options], {
        PERPDESK_BROWSER: found.path,
        NODE_ENV: 'production',
        ...env,
      });
}
