import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runBrowserTests } from './runners.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';

let checkout: TemporaryCheckout;
let written: readonly string[];

function specs(files: Readonly<Record<string, string>>) {
  written = Object.keys(files);
  checkout.write(files);
  return runBrowserTests(checkout.root);
}

beforeAll(() => {
  checkout = createTemporaryCheckout((path) => ['', 'package.json'].includes(path));
  checkout.write({
    'e2e/playwright.config.ts': "export default { testDir: '.', retries: 1, projects: [{ name: 'light' }] };\n",
  });
});
beforeEach(() => {
  // None of these tests opens a page, so the browser only has to start.
  vi.stubEnv('PERPDESK_BROWSER', process.execPath);
});
afterEach(() => {
  vi.unstubAllEnvs();
  checkout.remove(written);
});
afterAll(() => {
  checkout.dispose();
});

const head = "import { expect, test } from '@playwright/test';\n";

describe('the browser tests', () => {
  test('are counted one by one: passed, failed, passed on the second try, skipped', async () => {
    const outcome = await specs({
      'e2e/some.spec.ts': `${head}
        test.describe('a screen', () => {
          test('passes', () => { expect(1).toBe(1); });
          test('fails', () => { expect(1).toBe(2); });
          test('passes at last', ({}, { retry }) => { expect(retry).toBe(1); });
          test.skip('is left out', () => { expect(1).toBe(2); });
        });`,
    });
    expect(outcome).toMatchObject({
      passed: 1,
      failed: 2,
      failures: [
        expect.stringMatching(/^some\.spec\.ts > fails \(light\): .*expect/),
        expect.stringMatching(/^some\.spec\.ts > passes at last/),
      ],
      notRun: ['some.spec.ts > is left out (light)'],
    });
  });

  test('fail with a file that does not load', async () => {
    const outcome = await specs({
      'e2e/good.spec.ts': `${head}test('passes', () => {});`,
      'e2e/broken.spec.ts': "import './missing.ts';\n",
    });
    expect(outcome.failed).toBeGreaterThan(0);
    expect(outcome.output).toContain('missing.ts');
  });

  test('do not pass when there is none', async () => {
    expect(await specs({})).toMatchObject({ passed: 0, failed: 1 });
  });

  test('are named as not run when there is no browser to run them in', async () => {
    vi.stubEnv('PERPDESK_BROWSER', '/nowhere/chromium');
    const outcome = await specs({ 'e2e/good.spec.ts': `${head}test('passes', () => {});` });
    expect(outcome).toMatchObject({ passed: 0, failed: 0, notRun: [expect.stringContaining('/nowhere/chromium')] });
  });
});

/** A stand-in for the server that reports that it is ready and records how it was started. */
const DESK = `
import { mkdirSync, writeFileSync } from 'node:fs';
const { DESK_DATA_DIR: folder, DESK_VENUE: venue } = process.env;
mkdirSync(folder, { recursive: true });
writeFileSync(folder + '/venue', venue);
console.log('ready at http://127.0.0.1:9/');
setInterval(() => undefined, 1_000);
`;
const WANTED = [
  '',
  'package.json',
  'e2e',
  'e2e/playwright.config.ts',
  'e2e/desks-built.ts',
  'src',
  'src/testing',
  'src/testing/browser-arguments.ts',
  'src/testing/build-app.ts',
  'src/testing/cleared-settings.ts',
];

test('each server of the browser tests starts with an empty data folder and without the settings of the shell', async () => {
  vi.stubEnv('DESK_VENUE', 'bitnomial');
  const configured = createTemporaryCheckout((path) => WANTED.includes(path));
  configured.write({
    'src/tools/launch.mjs': DESK,
    'e2e/artifacts/desk-0/left-behind': '',
    'e2e/some.spec.ts': `
      import { globSync, readdirSync, readFileSync } from 'node:fs';
      import { expect, test } from '@playwright/test';
      const folders = globSync(import.meta.dirname + '/artifacts/desk-*');
      test('desks', () => {
        expect(folders.length).toBe(test.info().config.workers);
        for (const folder of folders) {
          expect(readdirSync(folder)).toEqual(['venue']);
          expect(readFileSync(folder + '/venue', 'utf8')).toBe('');
        }
      });`,
  });
  try {
    expect(await runBrowserTests(configured.root)).toMatchObject({ passed: 1, failed: 0, failures: [] });
  } finally {
    configured.dispose();
  }
});
