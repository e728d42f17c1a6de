import { expect } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test('products that a text may mean are proposed to the filter of the history in every look, and axe finds no violation', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto('/orders/history');
  await page.getByText('Exchange filters').click();
  const product = page.getByRole('textbox', { name: 'Product', exact: true });
  await product.fill('perp btc');
  await page.keyboard.press('Enter');
  const proposal = page
    .getByRole('group', { name: 'No product “perp btc”' })
    .getByRole('button', { name: 'PBTCUCZ50' });
  await expect(proposal).toBeVisible();
  await inEachLook(
    page,
    [
      [360, 800],
      [1280, 800],
    ],
    async (look) => {
      await takeShot(page, `history-proposals-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      await expectAccessible(page, look);
    },
  );
  await proposal.click();
  await expect(product).toHaveValue('PBTCUCZ50');
});
