import { expect } from '@playwright/test';
import { openOrders, orderGrid, readWorking, test } from './orders-desk.ts';

test.use({ live: false });

test('a link with an account filter shows the same orders in another browser, and contains no code', async ({
  page,
  strangersPage: other,
}) => {
  await openOrders(page);
  const account = (await readWorking(page)).orders[0]?.account_id ?? '';
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Column').selectOption('account');
  await dialog.getByRole('checkbox', { name: account }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/own=account%3Ais%3A\*a-/);
  expect(decodeURIComponent(page.url())).not.toContain(account);
  await other.goto(page.url());
  await expect(other.getByRole('button', { name: `Account is ${account}` })).toBeVisible();
  await expect(orderGrid(other).locator('[role=gridcell][data-column=account]').first()).toHaveText(account);
  const accounts = await orderGrid(other).locator('[role=gridcell][data-column=account]').allTextContents();
  expect(new Set(accounts)).toEqual(new Set([account]));
  await expect(other).toHaveURL(page.url());
});
