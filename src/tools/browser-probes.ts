import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import type { BrowserProbes } from './browser.ts';
import { run } from '#cli/run.mjs';

/** The download gives up after this long: it may be blocked where the tests run. */
const connectionTimeoutMs = '10000';

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const quiet = args.includes('--version');
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: connectionTimeoutMs,
  };
  try {
    return (await run(program, args, { env, stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'] })) === 0;
  } catch {
    return false;
  }
}

/** This machine. */
export function machineProbes(): BrowserProbes {
  return {
    chosen: process.env['PERPDESK_BROWSER'],
    path: (process.env['PATH'] ?? '').split(delimiter),
    playwrightsOwn: chromium.executablePath(),
    isRoot: process.getuid?.() === 0,
    exists: existsSync,
    succeeds,
    toolSucceeds: (tool, args) => succeeds(process.execPath, [join('node_modules', '.bin', tool), ...args]),
    say: (line) => {
      console.log(line);
    },
  };
}
