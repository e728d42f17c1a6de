import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const browser = process.env['PERPDESK_BROWSER'];
const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export default defineConfig({
  testDir: '.',
  testIgnore: 'bench/**',
  outputDir: 'artifacts/failures',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 20_000,
  use: {
    baseURL: process.env['PERPDESK_URL'] ?? '',
    trace: 'retain-on-failure',
    launchOptions: {
      // Chromium does not start its sandbox for root, whom containers run as.
      args: ['--no-sandbox', '--disable-quic', ...quiet],
      ...(browser !== undefined && { executablePath: browser }),
    },
  },
  webServer: {
    command: 'node src/tools/launch.mjs serve',
    cwd: join(import.meta.dirname, '..'),
    env: { DESK_HOST: '127.0.0.1', DESK_PORT: '0', DESK_DATA_DIR: join(import.meta.dirname, 'artifacts', 'desk') },
    // Sets PERPDESK_URL before the workers read this file.
    wait: { stdout: /ready at (?<perpdesk_url>http:\S+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 6_000 },
  },
});
