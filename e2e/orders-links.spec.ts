import { expect, type Page } from '@playwright/test';
import { openOrders, orderGrid, readWorking, test } from './orders-desk.ts';

test.use({ live: false });

const UNKNOWN = { name: 'Unknown filter in this link' } as const;
const NONE_SHOWN = /^0 of [\d,]+ shown/;

async function findAccount(page: Page): Promise<string> {
  return (await readWorking(page)).orders[0]?.account_id ?? '';
}

async function filterByAccount(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Column').selectOption('account');
  await dialog.getByRole('checkbox', { name: account }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/own=account%3Ais%3A\*a-/);
}

test('a link with an account filter shows the same orders in another browser, and contains no code', async ({ page, strangersPage: other }) => {
  await openOrders(page);
  const account = await findAccount(page);
  await filterByAccount(page, account);
  expect(decodeURIComponent(page.url())).not.toContain(account);
  await other.goto(page.url());
  await expect(other.getByRole('button', { name: `Account is ${account}` })).toBeVisible();
  await expect(orderGrid(other).locator('[role=gridcell][data-column=account]').first()).toHaveText(account);
  const accounts = await orderGrid(other).locator('[role=gridcell][data-column=account]').allTextContents();
  expect(new Set(accounts)).toEqual(new Set([account]));
  await expect(other).toHaveURL(page.url());
});

test('a text filter that names a part of an account is in the link as well', async ({ page, strangersPage: other }) => {
  await openOrders(page);
  const account = await findAccount(page);
  const part = account.slice(0, -1).toLowerCase();
  await page.getByRole('searchbox').fill(`${part} bid`);
  await expect(page).toHaveURL(/own=quick%3Ahas%3A\*/);
  expect(decodeURIComponent(page.url()).toLowerCase()).not.toContain(part);
  await expect(page.getByRole('searchbox')).toHaveValue(`${part} bid`);
  await other.goto(page.url());
  await expect(other.getByRole('searchbox')).toHaveValue(new RegExp(`^${part} bid$`, 'i'));
});

test.describe('with aliases that fail', () => {
  test.use({ provoked: /500/ });

  test('while a link is resolved, and if that fails, no order is shown', async ({ page, strangersPage: other }) => {
    await openOrders(page);
    const account = await findAccount(page);
    await filterByAccount(page, account);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    let fails = true;
    await other.route('**/api/desk/aliases', async (route) => {
      await released;
      await (fails ? route.fulfill({ status: 500, body: '' }) : route.continue());
    });
    await other.goto(page.url());
    await expect(other.locator('footer')).toContainText(NONE_SHOWN);
    await expect(other.getByText('Loading…')).toBeAttached();
    await expect(orderGrid(other)).toHaveCount(0);
    release(undefined);
    await expect(other.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(orderGrid(other)).toHaveCount(0);
    fails = false;
    await other.getByRole('button', { name: 'Try again' }).click();
    await expect(orderGrid(other)).toBeVisible();
    await expect(other.getByRole('button', { name: `Account is ${account}` })).toBeVisible();
  });
});

test('a link with an unknown filter shows no orders until the filter is cleared', async ({ page }) => {
  await page.goto('/orders?f=side:is:Bid&own=account:is:*a-AAAAAAAAAAAAAAAA*');
  await expect(page.getByRole('heading', UNKNOWN)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('main')).toContainText('The link filters by account');
  await expect(page.locator('footer')).toContainText(NONE_SHOWN);
  await page.getByLabel('Group').selectOption('side');
  await expect(page).toHaveURL(/own=.*group=side|group=side.*own=/);
  await expect(orderGrid(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear unknown filter' }).click();
  await expect(orderGrid(page)).toBeVisible();
  await expect(page).not.toHaveURL(/own=/);
  await expect(page.getByRole('button', { name: /Side is Bid/ })).toBeVisible();
});

test('the history of a link is requested with its account only', async ({ page, strangersPage: other }) => {
  await openOrders(page);
  const account = await findAccount(page);
  await page.goto('/orders/history');
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill(account);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/own=account%3Ais%3A\*a-/);
  const requested: (string | null)[] = [];
  other.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/orders') requested.push(searchParams.get('account_id'));
  });
  await other.goto(page.url());
  await expect(other.getByRole('textbox', { name: 'Account', exact: true })).toHaveValue(account);
  await expect.poll(() => requested.length).toBeGreaterThan(0);
  expect(new Set(requested)).toEqual(new Set([account]));
  await other.goto(`${new URL(page.url()).origin}/orders/history?own=account:is:*a-AAAAAAAAAAAAAAAA*`);
  await expect(other.getByRole('heading', UNKNOWN)).toBeVisible();
});

test('a filter by an account that Perpdesk has not read stays in the tab, and the page says so', async ({ page }) => {
  await page.goto('/orders/history');
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill('NOBODY-9');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^The filter by account applies in this tab only/)).toBeVisible();
  expect(page.url()).not.toContain('NOBODY');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Account', exact: true })).toHaveValue('NOBODY-9');
});
