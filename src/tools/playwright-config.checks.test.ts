import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runBrowserTests } from './playwright-run.ts';
import { createTemporaryCheckout, type TemporaryCheckout } from './temporary-checkout.ts';

/** Stands in for the server: reports that it is ready and writes down what it was started with. */
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

let checkout: TemporaryCheckout;

beforeAll(() => {
  checkout = createTemporaryCheckout((path) => WANTED.includes(path));
  vi.stubEnv('PERPDESK_BROWSER', process.execPath);
  vi.stubEnv('DESK_VENUE', 'bitnomial');
});
afterAll(() => {
  vi.unstubAllEnvs();
  checkout.dispose();
});

test('each server of the browser tests starts with an empty data folder and without the settings of the shell', async () => {
  checkout.write({
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
  expect(await runBrowserTests(checkout.root)).toMatchObject({ passed: 1, failed: 0, failures: [] });
});
