import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';
import { exportAs } from './export-menu.ts';

test.use({ live: false });

// Reading the canvas back makes the browser log a hint.
test.use({ provoked: /willReadFrequently/ });

const run = promisify(execFile);
const BTC = '/funding/BTCUC';
const chart = (page: Page): Locator => page.getByRole('application', { name: /BTCUC funding, / });
const table = (page: Page, name: string): Locator => page.getByRole('table', { name });

test('the rates of a perpetual are charted, saved, read back to the launch and restored by a link', async ({
  page,
  context,
}) => {
  await page.goto(BTC);
  await expect(page.getByTestId('last-settled')).toContainText(/(longs pay shorts|shorts pay longs|no payment)/);
  await expect(page.getByTestId('estimate')).toContainText('not settled');
  await expect(page.getByTestId('carry-sum')).toContainText('90 of 90');
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  const downloading = page.waitForEvent('download');
  await exportAs(page, 'PNG', 'rates');
  expect((await downloading).suggestedFilename()).toMatch(/^[\w-]+-funding-BTCUC-apr-.*\.png$/);
  const older = page.waitForResponse(/desk\/funding\?base_symbol=BTCUC&cursor=/);
  await page.getByRole('grid', { name: 'Funding history' }).evaluate((element) => {
    element.scrollIntoView();
    element.scrollTop = element.scrollHeight;
  });
  await older;
  await expect(page.getByText(/^180 settled rates loaded/)).toBeVisible();
  const names = ['90d', 'APY', 'Short position', 'Short'];
  for (const name of names) await page.getByRole('radio', { name, exact: true }).check();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const name of names) await expect(other.getByRole('radio', { name, exact: true })).toBeChecked();
});

test('the 90-day APR equals the result of the documented command, to the last digit', async ({ page, baseURL }) => {
  await page.goto(`${BTC}?form=apr`);
  const apr = table(page, 'Realised funding').getByRole('row').filter({ hasText: '90 d' }).getByRole('button').nth(1);
  await expect(apr).toHaveText(/\d/);
  const shown = await apr.innerText();
  await apr.press('i');
  const exact = await page
    .getByRole('dialog')
    .getByText(/^-?\d+\.\d{3,} %$/)
    .innerText();
  const document = await readFile('docs/evidence.md', 'utf8');
  const [, command = ''] = /```sh\n(curl [^`]*?\/funding-rates\/[^`]*?)\n```/.exec(document) ?? [];
  const { stdout } = await run('sh', ['-c', command.replace('http://127.0.0.1:8080/', baseURL ?? '')]);
  const [rounded = '', whole = ''] = stdout.trim().split('\n');
  expect(Number(rounded)).toBe(Number(shown.replace('−', '-')));
  expect(Number(whole)).toBeCloseTo(Number(exact.replace(' %', '')), 11);
});

test('the screen does not scroll sideways in any look and has no accessibility violations', async ({ page }) => {
  // The whole long page is checked: on a busy machine that alone may take more than a minute.
  test.slow();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(BTC);
  await expect(page.getByTestId('estimate')).toBeVisible();
  await inEachLook(
    page,
    [
      [360, 740],
      [1440, 900],
      [2560, 1440],
    ],
    async (look) => {
      await expect(chart(page).locator('canvas').first()).toBeVisible();
      await takeShot(page, `funding-one-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      await expectAccessible(page, look);
    },
  );
});
