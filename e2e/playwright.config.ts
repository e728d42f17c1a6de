import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { clearedSettings } from '#testing/cleared-settings.ts';

const browser = process.env['PERPDESK_BROWSER'];
const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Each with a desk of its own: what one test does to it is not to be seen by another of the same moment. */
const LANES = 2;

export default defineConfig({
  testDir: '.',
  testIgnore: 'bench/**',
  outputDir: 'artifacts/failures',
  fullyParallel: true,
  workers: LANES,
  forbidOnly: true,
  retries: 0,
  // Two lanes, each with a desk, an exchange and a browser, take turns on the cores: enough for the arithmetic of a busy machine.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: process.env[`PERPDESK_URL_${process.env['TEST_PARALLEL_INDEX'] ?? ''}`] ?? '',
    // A picture of every step would cost a fifth of all the time, and the page's snapshots show the same.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      // Chromium does not start its sandbox for root, whom containers run as.
      args: ['--no-sandbox', '--disable-quic', ...quiet],
      ...(browser !== undefined && { executablePath: browser }),
    },
  },
  webServer: Array.from({ length: LANES }, (_, lane) => ({
    // What an earlier run left is removed where each desk is started once: workers read this file again while desks run.
    command: 'rm -rf "$DESK_DATA_DIR" && exec node src/tools/launch.mjs serve',
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...clearedSettings(),
      ...{ DESK_HOST: '127.0.0.1', DESK_PORT: '0', DESK_DATA_DIR: join(import.meta.dirname, 'artifacts', `desk-${String(lane)}`) },
      // More than two hundred screens in a row can spend: what a spent one does, tests of their own provoke.
      DESK_BUDGET: '2000/300',
    },
    // Sets PERPDESK_URL_0 and so on, before the workers read this file.
    wait: { stdout: new RegExp(`ready at (?<perpdesk_url_${String(lane)}>http:\\S+)`) },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 6_000 },
  })),
});
