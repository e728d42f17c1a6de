import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { BROWSER_ARGUMENTS } from '#testing/browser-arguments.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';

const browser = process.env['PERPDESK_BROWSER'];
/** `E2E_SHAKE=1 npx playwright test -c e2e some.spec.ts` delays each response by a random time, to find tests that depend on their order. */
const isShaken = (process.env['E2E_SHAKE'] ?? '') !== '';
const ROOT = join(import.meta.dirname, '..');

const WORKERS = isShaken ? 1 : Math.min(availableParallelism(), 6);

/** Each worker has a server of its own, so that parallel tests do not affect each other. */
const desks = Array.from({ length: WORKERS }, (_, worker) => ({
  // The folder is removed here, before each server starts once, because workers read this file again while servers run.
  command: 'rm -rf "$DESK_DATA_DIR" && exec node src/tools/launch.mjs serve',
  cwd: ROOT,
  env: {
    ...clearedSettings(),
    ...{
      DESK_HOST: '127.0.0.1',
      DESK_PORT: '0',
      DESK_DATA_DIR: join(import.meta.dirname, 'artifacts', `desk-${String(worker)}`),
    },
    // The budget is more than the browser tests can use; other tests exhaust one.
    DESK_BUDGET: '2000/300',
  },
  // This sets PERPDESK_URL_0 and so on, before the workers read this file.
  wait: { stdout: new RegExp(`ready at (?<perpdesk_url_${String(worker)}>http:\\S+)`) },
  gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 6_000 },
}));

/** See shaking-proxy.ts. */
const shaker = {
  command: 'exec node e2e/shaking-proxy.ts',
  cwd: ROOT,
  wait: { stdout: /shakes at (?<perpdesk_shaker>http:\S+)/ },
};

export default defineConfig({
  testDir: '.',
  testIgnore: 'bench/**',
  outputDir: 'artifacts/failures',
  globalSetup: './desks-built.ts',
  fullyParallel: true,
  workers: WORKERS,
  forbidOnly: true,
  retries: 0,
  // There is one worker per core, each with a server, an exchange and a browser. The machine is busy, and delays add
  // up.
  timeout: isShaken ? 240_000 : 60_000,
  expect: { timeout: isShaken ? 30_000 : 10_000 },
  use: {
    baseURL: process.env[`PERPDESK_URL_${process.env['TEST_PARALLEL_INDEX'] ?? ''}`] ?? '',
    // Recording a trace takes a third of a test's time: `playwright test -c e2e --trace on -g "its title"` records that
    // of one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: BROWSER_ARGUMENTS,
      ...(browser !== undefined && { executablePath: browser }),
      ...(isShaken && { proxy: { server: process.env['PERPDESK_SHAKER'] ?? '', bypass: '<-loopback>' } }),
    },
  },
  webServer: isShaken ? [...desks, shaker] : desks,
});
