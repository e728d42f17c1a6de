import { playwright } from '@vitest/browser-playwright';
import { mergeConfig } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BROWSER_ARGUMENTS } from './src/testing/browser-arguments.ts';
import { answer } from './src/testing/component/answer-command.ts';
import { scan } from './src/testing/component/scan-command.ts';
import viteConfig from './vite.config.ts';

const integration = ['src/**/*.integration.test.ts', 'e2e/bench/lib/*.integration.test.ts'];
const checks = 'src/**/*.checks.test.ts';
const component = 'src/**/*.component.test.tsx';
const deploy = 'src/**/*.deploy.test.ts';

const executablePath = process.env['PERPDESK_BROWSER'];

/** The floors below the browser tests. */
const projects: TestProjectConfiguration[] = [
  {
    extends: true,
    // Long enough for the arithmetic of a busy machine: these wait for nothing that could fail to come. And they leave
    // nothing behind, so that one process runs them all, in a third of the time.
    test: {
      name: 'unit',
      include: ['src/**/*.test.{ts,tsx}', 'e2e/bench/lib/*.test.ts'],
      exclude: [...integration, checks, component, deploy],
      testTimeout: 30_000,
      isolate: false,
    },
  },
  {
    extends: true,
    // Patience, not a measure: what is waited for comes, but a busy machine stands still for a second at times. Each file
    // closes what it opens, so that one process runs many of them.
    test: {
      name: 'integration',
      include: integration,
      globalSetup: ['src/testing/build-once.ts', 'src/testing/shared-postgres.ts'],
      isolate: false,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
    },
  },
  {
    extends: true,
    test: {
      name: 'component',
      include: [component],
      globalSetup: 'src/testing/component/recorded-answers.ts',
      setupFiles: 'src/testing/component/setup.ts',
      // A page for many files: each test leaves it empty.
      isolate: false,
      testTimeout: 30_000,
      expect: { poll: { timeout: 10_000 } },
      browser: {
        enabled: true,
        locators: { exact: false },
        headless: true,
        screenshotFailures: false,
        provider: playwright({
          actionTimeout: 10_000,
          launchOptions: { args: BROWSER_ARGUMENTS, ...(executablePath !== undefined && { executablePath }) },
        }),
        instances: [{ browser: 'chromium' }],
        viewport: { width: 1_440, height: 900 },
        commands: { answer, scan },
      },
    },
  },
  // Each may install or download what it needs before it begins.
  {
    extends: true,
    test: {
      name: 'deploy',
      include: [deploy],
      globalSetup: 'src/testing/build-once.ts',
      testTimeout: 60_000,
      hookTimeout: 300_000,
    },
  },
  { extends: true, test: { name: 'checks', include: [checks], testTimeout: 120_000, hookTimeout: 60_000 } },
];

export default defineConfig((environment) => mergeConfig(viteConfig(environment), { test: { projects } }));
