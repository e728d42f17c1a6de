import { expect, type Locator, type Page } from '@playwright/test';
import { openOrders, orderGrid, test } from './orders-desk.ts';

test.use({ viewport: { width: 1440, height: 900 } });

function head(page: Page, column: string): Locator {
  return orderGrid(page).locator(`[role=columnheader][data-column=${column}]`);
}

test('what an order is, whose it is, how old it is and its status fit a laptop’s width', async ({ page }) => {
  await openOrders(page);
  for (const column of ['side', 'product', 'account', 'price', 'remaining', 'underlying', 'age', 'status']) await expect(head(page, column)).toBeInViewport({ ratio: 1 });
});

test('totals of groups are never cut, and the headings say what they are', async ({ page }) => {
  for (const group of ['account', 'side', 'product']) {
    await openOrders(page, `?group=${group}`);
    await expect(head(page, 'underlying')).toContainText('USD, gross totals');
    await expect(head(page, 'remaining')).toHaveText(group === 'product' ? 'Working qty' : 'Working qtymixed sizes');
    await orderGrid(page).evaluate((grid) => { grid.scrollLeft = 0; });
    const totals = orderGrid(page).locator('[role=row][data-group] > [data-kind=number]');
    await expect(totals.filter({ hasText: /\d/ }).first()).toBeVisible();
    await expect(totals.and(page.locator('[data-long]'))).toHaveCount(0);
    await head(page, 'underlying').click();
    await expect(totals.and(page.locator('[data-long]'))).toHaveCount(0);
  }
  await openOrders(page);
  await expect(head(page, 'underlying')).toHaveText(/USD$/);
});

test('the ring of an active group is around its line, not around a part of its name', async ({ page }) => {
  await openOrders(page, '?group=account');
  await orderGrid(page).focus();
  const line = orderGrid(page).locator('[role=row][data-group]').first();
  await expect(line).toHaveCSS('outline-style', 'solid');
  await expect(line.locator('> :first-child')).toHaveCSS('outline-style', 'none');
});

test('Escape clears the selection first, then closes the panel, from the list and from the panel', async ({ page }) => {
  await openOrders(page);
  await orderGrid(page).focus();
  for (const key of ['ArrowDown', 'Enter', 'Space', 'Escape']) await page.keyboard.press(key);
  const panel = page.getByRole('complementary', { name: 'Order' });
  await expect(panel).toBeVisible();
  await expect(orderGrid(page).locator('[role=row][aria-selected=true]')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).not.toHaveURL(/beside=/);
  await expect(orderGrid(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(orderGrid(page)).toBeFocused();
});
