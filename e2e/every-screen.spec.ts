// One path through each screen, for quick feedback. Each screen's own file tests what it promises.
import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

const STARTING = 15_000;

test(
  'Markets leads to a product, its candles, its volume, the funding of a perpetual, orders and Status, and the command palette back',
  { tag: '@quick' },
  async ({ page }) => {
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await page.goto('/');
    await page.getByRole('link', { name: 'PBTCUCZ50', exact: true }).click({ timeout: STARTING });
    await expect(
      page
        .getByRole('application', { name: /PBTCUCZ50, prices in USD/ })
        .locator('canvas')
        .first(),
    ).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Volume / OI' }).click();
    await expect(
      page
        .getByRole('application', { name: /PBTCUCZ50, volume and open interest/ })
        .locator('canvas')
        .first(),
    ).toBeVisible();
    await screens.getByRole('link', { name: 'Funding' }).click();
    await page.getByRole('link', { name: 'BTCUC', exact: true }).click({ timeout: STARTING });
    await expect(page.getByRole('grid', { name: 'Funding history' }).getByRole('row').nth(2)).toBeVisible();
    await screens.getByRole('link', { name: 'Orders' }).click();
    await expect(page.getByRole('grid', { name: 'Working orders' }).getByRole('row').nth(2)).toBeVisible({
      timeout: STARTING,
    });
    await screens.getByRole('link', { name: 'History' }).click();
    await page.getByRole('gridcell').first().click({ timeout: STARTING });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary')).toBeVisible();
    await screens.getByRole('link', { name: 'Status' }).click();
    await expect(page.getByRole('heading', { name: 'Allowed requests' })).toBeVisible({ timeout: STARTING });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('markets');
    await expect(page.getByRole('option', { name: /Markets/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('grid', { name: 'Markets' }).getByRole('row').nth(2)).toBeVisible();
  },
);
