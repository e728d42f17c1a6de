import { expect, type Locator, type Page } from '@playwright/test';
import { openOrders, orderGrid, readWorking, test, textsInSight, toCount } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

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

test('selected rows and cells are counted and added up; without a selection the totals are of all', async ({ page }) => {
  await openOrders(page, '?f=side:is:Bid');
  const footer = page.locator('footer');
  await expect(footer).toContainText('Σ Bid');
  const quantities = (await textsInSight(page, 'remaining')).slice(0, 3).map(toCount);
  await orderGrid(page).focus();
  for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await expect(footer).toContainText(', 2 selected');
  await expect(footer).toContainText(`Σ selected Bid ${((quantities[0] ?? 0) + (quantities[1] ?? 0)).toLocaleString('en')} contracts`);
  await page.keyboard.press('Escape');
  await expect(footer).not.toContainText('selected');
  await page.keyboard.press('Home');
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await expect(footer).toContainText(', 3 selected');
  await takeShot(page, 'orders-selected-light-1440');
  await page.getByRole('searchbox').fill('no such order');
  await expect(footer).not.toContainText('selected');
});

test('exposure by account: bids and asks apart, sortable, saved as CSV, and a way to the orders of an account', async ({ page }) => {
  await openOrders(page);
  await page.getByRole('button', { name: 'Exposure' }).click();
  await expect(page).toHaveURL(/beside=exposure/);
  const table = page.getByRole('grid', { name: 'Exposure by account' });
  const { orders } = await readWorking(page);
  const accounts = new Set(orders.map(({ account_id: account }) => account));
  await expect(table).toHaveAttribute('aria-rowcount', String(accounts.size + 1));
  const rowOf = (account: string) => table.getByRole('row').filter({ hasText: account });
  await table.locator('[role=columnheader][data-column=account]').click();
  await expect(page).toHaveURL(/exposure=account/);
  const [first = ''] = [...accounts].sort();
  await expect(rowOf(first)).toHaveAttribute('aria-rowindex', '2');
  await expect(rowOf(first).locator('[data-column=orders]')).toHaveText(String(orders.filter(({ account_id: account }) => account === first).length));
  const figure = async (column: string): Promise<number> => Math.round(toCount(await rowOf(first).locator(`[data-column=${column}]`).textContent()) * 100);
  // Amounts are in USD once prices have been read.
  await expect.poll(() => figure('gross')).toBeGreaterThan(0);
  await expect.poll(async () => (await figure('bid')) + (await figure('ask')) - (await figure('gross'))).toBe(0);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as CSV' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^exposure-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
  await rowOf(first).locator('[data-column=orders]').dblclick();
  await expect(page.locator('footer')).toContainText(new RegExp(`^${await rowOf(first).locator('[data-column=orders]').textContent() ?? ''} of 1,200 shown`));
  await expect(rowOf(first)).toHaveAttribute('aria-current', 'true');
  await expect(table).toHaveAttribute('aria-rowcount', String(accounts.size + 1));
});

test('orders are grouped by account and side, each with totals', async ({ page }) => {
  await openOrders(page);
  await page.getByLabel('Group').selectOption('account,side');
  await expect(page).toHaveURL(/group=account%2Cside|group=account,side/);
  const groups = orderGrid(page).locator('[role=row][data-group]');
  await expect(groups.nth(0)).toHaveAttribute('aria-level', '1');
  await expect(groups.nth(1)).toHaveAttribute('aria-level', '2');
  await expect(groups.nth(1).locator('[data-column=underlying]')).toHaveText(/^[\d,]+\.\d\d$/);
});

test('in the table of depth each side has the colour that it has in the list', async ({ page }) => {
  await openOrders(page, '?beside=depth&q=PBTCUCZ50');
  const levels = page.getByRole('region', { name: 'Price levels' });
  for (const side of ['Bid', 'Ask']) {
    const inList = orderGrid(page).locator(`[role=gridcell][data-tone=${side.toLowerCase()}]`).first();
    const colour = await inList.evaluate((cell) => getComputedStyle(cell).color);
    await expect(levels.locator(`th[data-side=${side}]`).first()).toHaveCSS('color', colour);
  }
});
