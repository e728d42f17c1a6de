// One path through each screen, for a quick answer; what each screen promises is tested in a file of its own.
import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

const STARTING = 15_000;

test.describe('from screen to screen', { tag: '@quick' }, () => {
  test('Markets leads to a product, its candles, its volume and its orders', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'PBTCUCZ50', exact: true }).click({ timeout: STARTING });
    await expect(page.getByRole('application', { name: /PBTCUCZ50, prices in USD/ }).locator('canvas').first()).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Volume / OI' }).click();
    await expect(page.getByRole('application', { name: /PBTCUCZ50, volume and open interest/ }).locator('canvas').first()).toBeVisible();
    await page.goto('/orders?q=pbtcuc');
    await expect(page.getByRole('grid', { name: 'Working orders' }).getByText('PBTCUCZ50').first()).toBeVisible();
  });

  test('Funding leads to a perpetual and its settled rates', async ({ page }) => {
    await page.goto('/funding');
    await page.getByRole('link', { name: 'BTCUC', exact: true }).click({ timeout: STARTING });
    await expect(page.getByRole('grid', { name: 'Funding history' }).getByRole('row').nth(2)).toBeVisible();
  });

  test('the order history loads its first page, and a row opens', async ({ page }) => {
    await page.goto('/orders/history');
    await page.getByRole('gridcell').first().click({ timeout: STARTING });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary')).toBeVisible();
  });

  test('Status counts the requests, and the command palette leads back to Markets', async ({ page }) => {
    await page.goto('/status');
    await expect(page.getByRole('heading', { name: 'Allowed requests' })).toBeVisible({ timeout: STARTING });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('markets');
    await expect(page.getByRole('option', { name: /Markets/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('grid', { name: 'Markets' }).getByRole('row').nth(2)).toBeVisible();
  });
});
