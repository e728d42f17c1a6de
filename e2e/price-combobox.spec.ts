import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { readFutures } from './listed-products.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

async function openPrice(page: Page): Promise<void> {
  await page.goto('/price/PBTCUCZ50');
  await expect(
    page
      .getByRole('application', { name: /PBTCUCZ50/ })
      .locator('canvas')
      .first(),
  ).toBeVisible();
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
  await expectNoViolation(page);
});
