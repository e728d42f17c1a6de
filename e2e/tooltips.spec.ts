import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { openOrders, orderGrid, test } from './orders-desk.ts';

function tooltipOf(page: Page): Locator {
  return page.getByRole('dialog');
}

/** A figure outside the list. */
function sumOf(page: Page): Locator {
  return page.locator('footer').getByRole('button', { name: /\d/ }).first();
}

test('a delayed tooltip does not appear on the next screen', async ({ page }) => {
  await page.clock.install();
  await openOrders(page);
  await sumOf(page).hover();
  // From here on the code of tooltips is loaded.
  await expect(tooltipOf(page)).toBeVisible();
  await page.mouse.move(2, 2);
  await expect(tooltipOf(page)).toBeHidden();
  await sumOf(page).hover();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/status/);
  await page.clock.runFor(1_000);
  await expect(tooltipOf(page)).toHaveCount(0);
});

test('a tooltip closes when its screen is left', async ({ page }) => {
  await openOrders(page);
  await orderGrid(page).locator('[data-column=price]').nth(1).hover();
  await expect(tooltipOf(page)).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/status/);
  await expect(tooltipOf(page)).toBeHidden();
});

for (const [what, find] of [
  ['figure', sumOf],
  ['list', (page: Page) => orderGrid(page).locator('[data-column=price]').nth(1)],
] as const) {
  test(`a tooltip closes when the ${what} it explains is removed`, async ({ page }) => {
    await openOrders(page);
    await find(page).hover();
    await expect(tooltipOf(page)).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('no order says this');
    await expect(page.locator('footer')).toContainText(/^0 of/);
    await expect(tooltipOf(page)).toBeHidden();
  });
}
