import { expect, type Page } from '@playwright/test';
import { manageViews, openOrders, orderGrid, saveView, test, viewsButton } from './orders-desk.ts';

async function saveViewOf(page: Page, name: string, query: string): Promise<void> {
  await openOrders(page, query);
  await saveView(page, name);
}

test('saved views are in a menu beside the filter, by pointer and by keyboard', async ({ page }) => {
  await saveViewOf(page, 'Asks', '?f=side:is:Ask');
  await saveViewOf(page, 'Bids', '?f=side:is:Bid');
  await viewsButton(page).click();
  const menu = page.getByRole('dialog', { name: 'Open a view' });
  await expect(menu.getByRole('button')).toHaveText(['Asks', 'Bids', 'Save or manage…']);
  await expect(menu.getByRole('button', { name: 'Bids' })).toHaveAttribute('aria-current', 'true');
  await viewsButton(page).click();
  await expect(menu).toHaveCount(0);
  await viewsButton(page).click();
  await menu.getByRole('button', { name: 'Asks' }).click();
  await expect(page.getByRole('button', { name: /Side is Ask/ })).toBeVisible();
  await expect(page).toHaveURL(/view=Asks/);
  await expect(viewsButton(page)).toBeFocused();

  await page.keyboard.press('ArrowDown');
  await expect(menu).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Asks' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(menu.getByRole('button', { name: 'Bids' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Side is Bid/ })).toBeVisible();
  await expect(viewsButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(menu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(viewsButton(page)).toBeFocused();
});

test('the menu says that there are no views, and leads to where they are saved', async ({ page }) => {
  await openOrders(page);
  await expect(viewsButton(page)).toHaveText('Views');
  await viewsButton(page).click();
  const menu = page.getByRole('dialog', { name: 'Open a view' });
  await expect(menu).toContainText('No saved views.');
  await menu.getByRole('button', { name: 'Save or manage…' }).click();
  await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
});

test('the command palette opens saved views', async ({ page }) => {
  await saveViewOf(page, 'Only asks', '?f=side:is:Ask');
  await openOrders(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('only asks');
  await expect(page.getByRole('option', { name: /Only asks/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Side is Ask/ })).toBeVisible();
});

test('a view is saved, opened again, exported and imported', async ({ page }) => {
  await openOrders(page, '?f=tif:is:GTC&sort=-remaining&group=product');
  await manageViews(page);
  await page.getByLabel('Name').fill('Resting for long');
  await page.getByRole('button', { name: 'Save view' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export to file' }).click()]);
  const path = await file.path();
  await page.getByRole('button', { name: 'Delete Resting for long' }).click();
  await page.getByLabel('Import from file').setInputFiles(path);
  await expect(page.getByRole('button', { name: 'Resting for long', exact: true })).toBeVisible();
  await openOrders(page);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Resting for long', exact: true }).click();
  await expect(page).toHaveURL(/view=Resting\+for\+long/);
  await expect(page).toHaveURL(/sort=-remaining&group=product/);
  await expect(page.getByRole('button', { name: 'TIF is GTC' })).toBeVisible();
});

test('a view shows its columns, also those hidden since', async ({ page }) => {
  await openOrders(page);
  await manageViews(page);
  await page.getByLabel('Name').fill('As usual');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Account' }).uncheck();
  await page.keyboard.press('Escape');
  const head = orderGrid(page).getByRole('columnheader', { name: 'Account' });
  await expect(head).toHaveCount(0);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'As usual', exact: true }).click();
  await expect(head).toBeVisible();
  await page.reload();
  await expect(head).toBeVisible();
});
