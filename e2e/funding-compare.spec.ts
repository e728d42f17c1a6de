import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { copySelection } from './copy-selection.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';
import { exportAs } from './export-menu.ts';

test.use({ live: false });
const DAY_MS = 86_400_000;

/** The part of a funding response that tests read. */
interface Funding {
  readonly perpetuals: readonly {
    readonly base_symbol: string;
    readonly prints: readonly { readonly funding_rate: number; readonly interval_end: string }[];
  }[];
}

function rowsOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Funding of all perpetuals' }).locator('[role=row]:has([role=gridcell])');
}

function cellOf(page: Page, symbol: string, column: string): Locator {
  return rowsOf(page)
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })
    .locator(`[data-column="${column}"]`);
}

async function openFunding(page: Page, query = ''): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding${query}`)]);
  await expect(rowsOf(page).first()).toBeVisible();
  return (await response.json()) as Funding;
}

async function save(page: Page, form: string, of: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), exportAs(page, form, of)]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('perpetuals are compared, copied as spreadsheet cells, saved, and opened in a new tab', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { perpetuals } = await openFunding(page, '?sort=symbol');
  const symbols = await rowsOf(page).locator('[data-column="symbol"]').allInnerTexts();
  expect(symbols).toEqual(perpetuals.map(({ base_symbol }) => base_symbol).toSorted());
  const ranks = await rowsOf(page).locator('[data-column="rank"]').allInnerTexts();
  await rowsOf(page).first().locator('[data-column="rank"]').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowLeft');
  await copySelection(page);
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe([0, 1].map((line) => `${symbols[line] ?? ''}\t${ranks[line] ?? ''}`).join('\n'));
  const table = await save(page, 'CSV, with sources', 'table');
  expect(table.name).toMatch(/^funding-.*\.csv$/);
  expect(table.bytes.toString('utf8').slice(0, -2).split('\r\n')).toHaveLength(perpetuals.length + 1);
  await expect(
    page
      .getByRole('application', { name: /^Funding: Settled rate/ })
      .locator('canvas')
      .first(),
  ).toBeVisible();
  for (const of of ['rates (5 charted)', 'heatmap', 'spread'])
    expect((await save(page, 'PNG', of)).bytes.subarray(1, 4).toString()).toBe('PNG');
  const opened = context.waitForEvent('page');
  await rowsOf(page)
    .first()
    .getByRole('link')
    .click({ modifiers: ['Control'] });
  await expect(await opened).toHaveURL(`/funding/${symbols[0] ?? ''}?range=7d`);
});

test('one year is a range like any other', async ({ page, request }) => {
  await openFunding(page);
  await page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name: '1y' }).check();
  await expect(page).toHaveURL(/range=1y/);
  const since = new Date(Date.now() - 367 * DAY_MS).toISOString().slice(0, 10);
  const { perpetuals } = (await (
    await request.get(`/api/desk/funding?begin_time=${since}T00:00:00Z`)
  ).json()) as Funding;
  const newest = Math.max(
    ...perpetuals.flatMap(({ prints }) => prints.slice(0, 1).map(({ interval_end }) => Date.parse(interval_end))),
  );
  const { base_symbol: symbol = '', prints = [] } = perpetuals.find(({ prints: all }) => all.length > 1_095) ?? {};
  const rates = prints
    .filter(({ interval_end }) => Date.parse(interval_end) > newest - 365 * DAY_MS)
    .map(({ funding_rate }) => funding_rate);
  const apr = (rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 1_095 * 100;
  await expect(cellOf(page, symbol, 'rate-1y')).toHaveText(`${apr < 0 ? '−' : '+'}${Math.abs(apr).toFixed(2)}`);
  await expect(cellOf(page, symbol, 'coverage')).toHaveText('1,095 of 1,095');
  await page.goto(`/funding/${symbol}?range=1y`);
  await expect(
    page.getByRole('table', { name: 'Realised funding' }).getByRole('row').filter({ hasText: '1 y' }),
  ).toContainText(`${apr < 0 ? '−' : '+'}${Math.abs(apr).toFixed(2)}`);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a tap on a figure shows where it comes from', async ({ page }) => {
    await openFunding(page);
    await rowsOf(page).first().locator('[data-column="form"]').tap();
    await expect(page.getByRole('dialog')).toContainText('prints.funding_rate');
  });
});

test.describe('its looks', () => {
  // Reading the canvas back makes the browser log a hint.
  test.use({ provoked: /willReadFrequently/ });

  test('the comparison does not scroll sideways in any look and has no accessibility violations', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openFunding(page);
    await inEachLook(
      page,
      [
        [360, 740],
        [1440, 900],
        [2560, 1440],
      ],
      async (look) => {
        await expect(page.locator('[role=application] canvas').first()).toBeVisible();
        await takeShot(page, `funding-${look.colorScheme}-${String(look.width)}`);
        await expectToFit(page, look);
        // All rows are alike: checking a few proves as much, and is much faster.
        await expectAccessible(page, look, {
          exclude: ['[data-part=body] > :nth-child(n + 3)', 'tbody tr:nth-child(n + 3)'],
        });
      },
    );
  });
});
