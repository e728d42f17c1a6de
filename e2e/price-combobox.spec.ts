import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { readFutures } from './listed-products.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

async function openPrice(page: Page): Promise<void> {
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('application', { name: /PBTCUCZ50/ }).locator('canvas').first()).toBeVisible();
}

test('letters typed before the combobox has loaded are typed into it', async ({ page }) => {
  const released = Promise.withResolvers<undefined>();
  await page.route('**/assets/*combobox-input-*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  const [front = ''] = await readFutures(page, 'BUS');
  await openPrice(page);
  await page.keyboard.type(front.toLowerCase());
  await expect(page.getByRole('combobox')).toHaveCount(0);
  released.resolve(undefined);
  await expect(page.getByRole('combobox', { name: 'Product' })).toHaveValue(front.toLowerCase());
  await expect(page.getByRole('option')).not.toHaveCount(0);
});

test('a combobox is opened and left by pointer and by keys, and returns the focus', async ({ page }) => {
  const [front = ''] = await readFutures(page, 'BUS');
  await openPrice(page);
  const [field, combobox] = [page.getByRole('button', { name: 'Compare with' }), page.getByRole('combobox', { name: 'Compare with' })];
  await field.click();
  await expect(combobox).toBeFocused();
  await expect(page.getByRole('option').nth(60)).toBeAttached();
  await expectNoViolation(page);
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(0);

  await page.keyboard.press('ArrowDown');
  await expect(combobox).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(combobox).toHaveCount(0);
  await expect(field).not.toBeFocused();

  await field.focus();
  await page.keyboard.type(front.toLowerCase());
  await expect(combobox).toHaveValue(front.toLowerCase());
  await page.getByRole('heading', { name: 'PBTCUCZ50', exact: true }).click();
  await expect(combobox).toHaveCount(0);

  await field.focus();
  await page.keyboard.type(front.toLowerCase());
  await page.getByRole('option', { name: new RegExp(`^${front} `) }).click();
  await expect(page).toHaveURL(/vs=\d+/);
  await expect(page.getByRole('button', { name: `Compare with: ${front}` })).toBeFocused();
});
