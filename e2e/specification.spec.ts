import { expect } from '@playwright/test';
import { readProducts } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test('header and specification of an option keep to the page in every look, and axe finds no violation', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 900 });
  const { symbol = '' } =
    (await readProducts(page)).find(({ type, product_status: status }) => type === 'option' && status === 'active') ??
    {};
  await page.goto(`/price/${symbol}?spec=open`);
  // On a phone, the terms are among the further figures.
  await page.getByRole('button', { name: /^All \d+ figures$/ }).click();
  await inEachLook(
    page,
    [
      [360, 900],
      [1280, 900],
      [2560, 900],
    ],
    async (look) => {
      await expect(page.getByRole('button', { name: /^strike [\d,]/ })).toBeVisible();
      await expect(page.getByRole('region', { name: `${symbol}, specification` })).toContainText(/Strike/);
      await takeShot(page, `specification-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      await expectAccessible(page, look);
    },
  );
});
