import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import { machineProbes } from './browser-probes.ts';
import { cacheFolder } from './paths.mjs';
import { readPlaywrightReport, withExitCode } from './reports.ts';
import { runTool } from './run-tool.ts';
import type { Outcome } from './steps.ts';

function notRun(output: string): Outcome {
  return { passed: 0, failed: 0, notRun: 1, output };
}

async function runPlaywright(browser: string): Promise<Outcome> {
  mkdirSync(cacheFolder, { recursive: true });
  const report = join(cacheFolder, 'playwright.json');
  rmSync(report, { force: true });
  const ran = await runTool([join('node_modules', '.bin', 'playwright'), 'test', '-c', 'e2e', '--reporter=list,json'], {
    PERPDESK_BROWSER: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  try {
    return withExitCode(readPlaywrightReport(report), ran);
  } catch {
    return notRun(`${ran.output}\nplaywright left no report`);
  }
}

export async function runBrowserTests(): Promise<Outcome> {
  const found = await findBrowser(machineProbes());
  return 'problem' in found ? notRun(found.problem) : runPlaywright(found.path);
}
