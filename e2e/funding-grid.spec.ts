import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { copySelection } from './copy-selection.ts';
import { rowsOf, tableOf } from './funding-page.ts';
import { test } from './watched-page.ts';

async function openFunding(page: Page, query = ''): Promise<void> {
  await page.goto(`/funding${query}`);
  await expect(rowsOf(page).first()).toBeVisible();
}

test('a selection copies as spreadsheet cells, and hidden columns are remembered until they are reset', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFunding(page, '?sort=symbol');
  const symbols = await rowsOf(page).locator('[data-column="symbol"]').allInnerTexts();
  const ranks = await rowsOf(page).locator('[data-column="rank"]').allInnerTexts();
  await rowsOf(page).first().locator('[data-column="rank"]').click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowLeft');
  await copySelection(page);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe([0, 1].map((line) => `${symbols[line] ?? ''}\t${ranks[line] ?? ''}`).join('\n'));
  const percentile = tableOf(page).getByRole('columnheader', { name: 'Percentile' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Percentile' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(percentile).toHaveCount(0);
  await page.reload();
  await expect(rowsOf(page).first()).toBeVisible();
  await expect(percentile).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.keyboard.press('Escape');
  await expect(percentile).toHaveCount(1);
});

test('the keyboard alone selects and opens a perpetual', async ({ page }) => {
  await openFunding(page, '?sort=symbol');
  const symbol = (await rowsOf(page).first().getByRole('link').textContent()) ?? '';
  await page.getByRole('button', { name: 'Evidence' }).focus();
  await page.keyboard.press('Tab');
  await expect(tableOf(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(new RegExp(`pick=${symbol}`));
  await expect(page.getByRole('checkbox', { name: `Chart ${symbol}` })).toBeChecked();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/funding/${symbol}`);
});

test('the table is as high as its rows and does not scroll vertically', async ({ page }) => {
  await openFunding(page);
  // Its height follows its rows a moment later.
  const heights = () => tableOf(page).evaluate((grid) => ({ rows: 40 + 28 * grid.querySelectorAll('[role=row]:has([role=gridcell])').length, inner: grid.scrollHeight, outer: grid.clientHeight }));
  await expect.poll(async () => (({ rows, outer }) => outer - rows)(await heights())).toBe(0);
  const { inner, outer } = await heights();
  expect(inner).toBeLessThanOrEqual(outer);
});

test('links and checkboxes belong to their perpetual in any sort order, also in a new tab', async ({ page, context }) => {
  await openFunding(page, '?sort=symbol');
  const before = await rowsOf(page).getByRole('link').allInnerTexts();
  await tableOf(page).getByRole('columnheader', { name: 'Perpetual' }).click();
  await expect(page).toHaveURL(/sort=-symbol/);
  await expect(rowsOf(page).getByRole('link')).toHaveText(before.toReversed());
  const [first = '', second = ''] = before.toReversed();
  await page.getByRole('checkbox', { name: `Chart ${second}` }).click();
  await expect(page).toHaveURL(new RegExp(`pick=${second}$`));
  await expect(rowsOf(page).nth(1).getByRole('checkbox')).toBeChecked();
  const opened = context.waitForEvent('page');
  await rowsOf(page).first().getByRole('link').click({ modifiers: ['Control'] });
  await expect(await opened).toHaveURL(`/funding/${first}`);
  await rowsOf(page).nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`/funding/${second}`);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('a tap on a figure shows where it comes from', async ({ page }) => {
    await openFunding(page);
    await rowsOf(page).first().locator('[data-column="settled"]').tap();
    await expect(page.getByRole('dialog')).toContainText('prints.funding_rate');
  });
});
