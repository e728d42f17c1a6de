import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { openOrders, orderGrid, test } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const widths = { 360: 740, 1440: 900, 2560: 1440 } as const;

/** A few rows of each kind show as much as all, in a tenth of the time. */
async function leaveFew(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('PSHBUNZ50 NORD');
  await expect(page.locator('footer')).toContainText(/^\d{1,2} of 1,200 shown/);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });
    // The accessibility check inspects every visible cell: on a busy machine that may take a minute.
    test.setTimeout(90_000);

    for (const [width, height] of Object.entries(widths)) {
      test(`at ${width} px the list fits the width and is accessible`, async ({ page }) => {
        await page.setViewportSize({ width: Number(width), height });
        await openOrders(page, '?group=account&f=side:is:Bid');
        await expect.poll(() => orderGrid(page).locator('[data-tone=attention]').or(orderGrid(page).locator('[data-column=price]')).count()).toBeGreaterThan(5);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(Number(width));
        await takeShot(page, `orders-${colorScheme}-${width}`);
        await leaveFew(page);
        await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      });
    }

    test('an order, the depth and the completeness check are accessible', async ({ page }) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await openOrders(page);
      await orderGrid(page).focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
      await takeShot(page, `orders-detail-${colorScheme}-1440`);
      await leaveFew(page);
      await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      for (const panel of ['Depth', 'Exposure', 'Completeness']) {
        await page.getByRole('button', { name: panel, exact: true }).click();
        await expect(page.getByRole('complementary').getByRole('table').or(page.getByRole('grid', { name: 'Exposure by account' }))).toBeVisible();
        await takeShot(page, `orders-${panel.toLowerCase()}-${colorScheme}-1440`);
        await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      }
    });

    test('the dialogs and a list without matches are accessible', async ({ page }) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await openOrders(page);
      await leaveFew(page);
      for (const dialog of ['Filter', 'Quick filters', 'Columns', 'Export']) {
        await page.getByRole('button', { name: dialog, exact: true }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await takeShot(page, `orders-${dialog.toLowerCase()}-${colorScheme}-1440`);
        await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      }
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await expect(page.getByRole('dialog', { name: 'Open a view' })).toBeVisible();
      await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      await page.getByRole('button', { name: 'Save or manage…' }).click();
      await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
      await takeShot(page, `orders-views-${colorScheme}-1440`);
      await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('searchbox').fill('no such order');
      await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
      await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await expect(orderGrid(page)).toBeVisible();
    });
  });
}
