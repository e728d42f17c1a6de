import { expect, type Page } from '@playwright/test';
import { grid, inColumn, open, test, watchRequests } from './history-page.ts';
import { manageViews, openOrders, saveView, viewsButton } from './orders-desk.ts';

test.use({ live: false });

const menu = (page: Page) => page.getByRole('dialog', { name: 'Open a view' });

test('a view of the history holds its filters, those of the exchange too, and opening it starts the list once', async ({ page }) => {
  await open(page, '?f=product:is:PBTCUCZ50&f=side:is:Bid&from=2026-01-01&sort=time');
  await saveView(page, 'Our bids');
  const earlierList = page.waitForResponse((response) => response.url().includes('/api/orders?') && response.url().includes('day=2020-01-01'));
  await page.goto('/orders/history?day=2020-01-01&q=nothing');
  await earlierList;
  const requests = watchRequests(page);
  await viewsButton(page).click();
  await menu(page).getByRole('button', { name: 'Our bids' }).click();
  await expect(grid(page).getByRole('gridcell').first()).toBeVisible();
  await expect(viewsButton(page)).toBeFocused();
  const starts = requests.filter((query) => !query.has('cursor'));
  expect(starts.map((query) => Object.fromEntries(query))).toEqual([expect.objectContaining({ symbol: 'PBTCUCZ50', begin_time: '2026-01-01T00:00:00Z', order: 'asc' })]);
  expect(starts[0]?.has('day')).toBe(false);
  await expect(page.getByRole('textbox', { name: 'Trading day' })).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'From (UTC)' })).toHaveValue('2026-01-01');
  expect(new Set(await inColumn(page, 'side'))).toEqual(new Set(['Bid']));
  await expect(page).toHaveURL(/view=Our\+bids/);
});

test('a view without filters of the exchange clears those before it', async ({ page }) => {
  await open(page);
  await saveView(page, 'All');
  await open(page, '?f=product:is:PBTCUCZ50&from=2026-01-01');
  await viewsButton(page).press('ArrowDown');
  await expect(menu(page).getByRole('button', { name: 'All' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Product', exact: true })).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'From (UTC)' })).toHaveValue('');
});

test('history and working orders each have views of their own, also in the command palette', async ({ page }) => {
  await open(page, '?f=side:is:Ask');
  await saveView(page, 'Old asks');
  await openOrders(page);
  await viewsButton(page).click();
  await expect(menu(page)).toContainText('No saved views. A view holds filters, sorting, grouping and columns.');
  await open(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('old asks');
  await expect(page.getByRole('option', { name: /Old asks/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Side is Ask/ })).toBeVisible();
});

test('a file of working orders’ views is not imported into the history', async ({ page }) => {
  const views = [{ name: 'Ours', query: 'f=side:is:Bid' }];
  const choose = async (format: string) => {
    await page.getByLabel('Import from file').setInputFiles({ name: 'views.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ format, version: 1, views })) });
  };
  await open(page);
  await manageViews(page);
  await choose('perpdesk order views');
  await expect(page.getByRole('dialog')).toContainText('This is not a file of this list’s saved views');
  await choose('perpdesk history views');
  await expect(page.getByRole('list', { name: 'Saved views' }).getByRole('button', { name: 'Ours', exact: true })).toBeVisible();
});
