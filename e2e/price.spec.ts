import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectPriceRead } from './price-page.ts';
import { test } from './watched-page.ts';
import { exportAs } from './export-menu.ts';

test.use({ live: false });
function chartOf(page: Page) {
  return page.getByRole('application', { name: /PBTCUCZ50/ });
}

async function openPrice(page: Page, query = ''): Promise<void> {
  await page.goto(`/price/PBTCUCZ50${query}`);
  await expect(chartOf(page).locator('canvas').first()).toBeVisible();
}

/** Returns the date in the legend: that of the bar under the pointer, otherwise that of the last bar. */
function sessionShown(page: Page) {
  return page.getByTestId('legend').locator('dd').first();
}

test('by the keyboard alone: bar by bar, by pages, to the ends, logarithmic, another product', async ({ page }) => {
  await openPrice(page, '?range=All');
  // The running session becomes the last bar when it has been read.
  await expectPriceRead(page);
  const last = await sessionShown(page).innerText();
  await chartOf(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(sessionShown(page)).toHaveText(last);
  await page.keyboard.press('ArrowLeft');
  await expect(sessionShown(page)).not.toHaveText(last);
  const before = await sessionShown(page).innerText();
  await page.keyboard.press('Control+ArrowUp');
  // A page of the chart is as wide as the view, which follows the key with the next frame.
  await expect(page).toHaveURL(/zoom=/);
  await page.keyboard.press('Control+ArrowLeft');
  await expect(sessionShown(page)).not.toHaveText(before);
  const paged = await sessionShown(page).innerText();
  await page.keyboard.press('Home');
  await expect(sessionShown(page)).not.toHaveText(paged);
  await page.keyboard.press('Alt+r');
  await expect(sessionShown(page)).toHaveText(last);
  await page.keyboard.press('Alt+l');
  await expect(page).toHaveURL(/scale=log/);
  await page.keyboard.type('PETHU');
  await expect(page.getByRole('option', { name: /PETHUIZ50/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'PETHUIZ50', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/price\/PETHUIZ50\?range=All&scale=log/);
});

test('the chart is saved as PNG, and its table as CSV', async ({ page }) => {
  await openPrice(page);
  await expectPriceRead(page);
  // The name of the exchange is part of the status, which the header shows.
  await expect(page.getByRole('banner')).toContainText(/exchange ?\d\d:/);
  const [picture] = await Promise.all([page.waitForEvent('download'), exportAs(page, 'PNG')]);
  expect(picture.suggestedFilename()).toMatch(
    /^[\w-]+-PBTCUCZ50-1D-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d-read-\d{8}T\d{6}Z\.png$/,
  );
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG');
  await exportAs(page, 'Table');
  const rows = page.getByRole('table', { name: /PBTCUCZ50/ }).locator('tbody tr');
  await expect(rows.nth(20)).toBeVisible();
  const [table] = await Promise.all([page.waitForEvent('download'), exportAs(page, 'CSV, with sources')]);
  const lines = (await readFile(await table.path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(lines).toHaveLength((await rows.count()) + 1);
});
