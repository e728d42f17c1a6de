import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ provoked: /\/assets\/|ERR_FAILED/ });

/** From now on no code comes that the page does not have yet, as after a new version was put in its place. */
async function losePartsOf(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.abort());
}

async function expectTold(page: Page): Promise<void> {
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'This could not be loaded' })).toHaveCount(1);
  await expect(page.getByRole('paragraph').filter({ hasText: 'This could not be loaded' })).toBeInViewport({ ratio: 1 });
}

test.beforeEach(async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
});

for (const [name, key] of [['the palette', 'Control+k'], ['preferences', ','], ['the sheet of keys', '?']] as const) {
  test(`the page loses nothing where ${name} cannot be loaded`, async ({ page }) => {
    await losePartsOf(page);
    await page.keyboard.press(key);
    await expectTold(page);
    await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('the page loses nothing where the note of a figure cannot be loaded', async ({ page }) => {
  await losePartsOf(page);
  await page.getByRole('region', { name: 'Cache' }).getByRole('button').first().hover();
  await expectTold(page);
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
});

test('the list of products stays where neither its file nor a note of it can be loaded', async ({ page }) => {
  await page.goto('/');
  const grid = page.getByRole('grid', { name: 'Markets' });
  await expect(grid.getByRole('gridcell').first()).toBeVisible();
  await losePartsOf(page);
  await page.getByRole('button', { name: 'CSV' }).click();
  await expectTold(page);
  await page.screenshot({ path: 'e2e/artifacts/screens/not-loaded-light-1280.png' });
  await page.getByRole('button', { name: 'Close' }).click();
  await grid.focus();
  await page.keyboard.press('i');
  await expectTold(page);
  await expect(grid).toBeVisible();
});

test('a screen that did not come says so, and the others lose nothing', async ({ page }) => {
  await losePartsOf(page);
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This could not be loaded from the desk.');
  await page.unroute('**/assets/*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('grid', { name: 'Funding of all perpetuals' })).toBeVisible();
});

test('what could not be loaded opens once it can', async ({ page }) => {
  await losePartsOf(page);
  await page.keyboard.press(',');
  await expectTold(page);
  await page.unroute('**/assets/*.js');
  await page.keyboard.press(',');
  await expect(page.getByRole('dialog', { name: 'Preferences' })).toBeVisible();
});

test('the list of orders stays where a dialog over it cannot be loaded', async ({ page }) => {
  await page.goto('/orders');
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
  await losePartsOf(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await expectTold(page);
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
});
