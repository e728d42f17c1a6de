import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ live: false });

const STARTING = 15_000;

function openInterest(page: Page) {
  return page.getByTestId('legend').getByText('Open interest', { exact: true });
}

test('one click leads to a product’s candles, another to its open interest', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'PBTCUCZ50', exact: true }).click({ timeout: STARTING });
  await expect(
    page
      .getByRole('application', { name: /PBTCUCZ50, prices in USD/ })
      .locator('canvas')
      .first(),
  ).toBeVisible();
  await expect(openInterest(page)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page.getByRole('application', { name: /PBTCUCZ50, volume and open interest/ })).toBeVisible();
  await expect(openInterest(page)).toBeVisible();
});

test('the command palette leads there without a pointer', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible({ timeout: STARTING });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('pbtcuc');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('application', { name: /PBTCUCZ50, prices in USD/ })
      .locator('canvas')
      .first(),
  ).toBeVisible();
  await expect(openInterest(page)).toBeVisible();
});

test('letters typed before the command palette has loaded are not lost', async ({ page }) => {
  await page.route(/\/command-palette-[^/]*\.js$/, async (route) => {
    await typed;
    await route.continue();
  });
  const { promise: typed, resolve } = Promise.withResolvers<undefined>();
  await page.goto('/');
  await expect(page.getByRole('grid', { name: 'Markets' })).toBeVisible({ timeout: STARTING });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('pbtc');
  resolve(undefined);
  await expect(page.getByRole('combobox', { name: 'Search products, screens and commands' })).toHaveValue('pbtc');
  await page.keyboard.type('uc');
  await expect(page.getByRole('option', { name: /PBTCUCZ50/ }).first()).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Search products, screens and commands' })).toHaveValue('pbtcuc');
});

test('a product’s price links to its funding and its orders', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50');
  const links = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await expect(links.getByRole('link', { name: 'Funding' })).toHaveAttribute('href', '/funding/BTCUC');
  await links.getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByRole('list', { name: 'Filters' })).toHaveText('Product is PBTCUCZ50×, remove filter');
});
