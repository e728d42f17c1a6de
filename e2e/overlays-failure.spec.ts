import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ provoked: /\/assets\/|ERR_FAILED/ });

/** From now on no further code loads, as after an update of the server. */
async function blockCodeOf(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.abort());
  await untilCode(page, 'fails');
}

async function unblockCodeOf(page: Page): Promise<void> {
  await page.unroute('**/assets/*.js');
  await untilCode(page, 'loads');
}

/** The browser hands the page its new way to the network a moment later. */
async function untilCode(page: Page, outcome: 'loads' | 'fails'): Promise<void> {
  const load = () => page.evaluate(() => fetch(document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '', { cache: 'no-store' }).then(() => 'loads', () => 'fails'));
  await expect.poll(load).toBe(outcome);
}

async function expectToast(page: Page): Promise<void> {
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'This could not be loaded' })).toHaveCount(1);
  await expect(page.getByRole('paragraph').filter({ hasText: 'This could not be loaded' })).toBeInViewport({ ratio: 1 });
}

test.beforeEach(async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
});

for (const [name, key] of [['the command palette', 'Control+k'], ['preferences', ','], ['the list of shortcuts', '?']] as const) {
  test(`the page stays as it is when ${name} cannot be loaded`, async ({ page }) => {
    await blockCodeOf(page);
    await page.keyboard.press(key);
    await expectToast(page);
    await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('the page stays as it is when the tooltip of a figure cannot be loaded', async ({ page }) => {
  await blockCodeOf(page);
  await page.getByRole('region', { name: 'Cache' }).getByRole('button').first().click();
  await expectToast(page);
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
});

test('the list of products stays when its export or a tooltip cannot be loaded', async ({ page }) => {
  await page.goto('/');
  const grid = page.getByRole('grid', { name: 'Markets' });
  await expect(grid.getByRole('gridcell').first()).toBeVisible();
  await blockCodeOf(page);
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  await expectToast(page);
  await takeShot(page, 'not-loaded-light-1280');
  await page.getByRole('button', { name: 'Close' }).click();
  await grid.focus();
  await page.keyboard.press('i');
  await expectToast(page);
  await expect(grid).toBeVisible();
});

test('a screen that cannot be loaded says so and loads on retry', async ({ page }) => {
  await blockCodeOf(page);
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This part of the page could not be loaded');
  await unblockCodeOf(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('grid', { name: 'Funding of all perpetuals' })).toBeVisible();
});

test('a dialog that could not be loaded opens once its code is available', async ({ page }) => {
  await blockCodeOf(page);
  await page.keyboard.press(',');
  await expectToast(page);
  await unblockCodeOf(page);
  await page.keyboard.press(',');
  await expect(page.getByRole('dialog', { name: 'Preferences' })).toBeVisible();
});

test('the list of orders stays when a dialog over it cannot be loaded', async ({ page }) => {
  await page.goto('/orders');
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
  await blockCodeOf(page);
  await page.getByRole('button', { name: 'Columns' }).click();
  await expectToast(page);
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
});

test('the page stays as it is when the alerts cannot be loaded, says that they are unknown, and shows them once they load', async ({ page }) => {
  const code = /\/assets\/alert-badge-.*\.js$/;
  await page.route(code, (route) => route.abort());
  await page.reload();
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Alerts unknown' })).toHaveAttribute('href', '/rules');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute(code);
  await expect(header.getByRole('button', { name: /alert|rule/i })).toBeVisible();
});
