import { expect } from '@playwright/test';
import { test, STARTING, grid, open, type OrdersPage, readAll, watchRequests, inColumn, hideNewest } from './history-page.ts';
import { toProblemResponse } from './problem-response.ts';

test.use({ provoked: /429|400/ });

test('the rows so far stay, with the reason and a way to go on', async ({ page }) => {
  const state = { isSpent: true };
  await page.route(/\/api\/orders\?.*cursor=/, async (route) => {
    if (!state.isSpent) return route.continue();
    return route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 }));
  });
  await open(page);
  await grid(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(page.getByText('Reading stopped.', { exact: true })).toBeVisible();
  await expect(page.getByText(/The page asks again in 1 min/)).toBeVisible();
  await expect(page.getByText('500 orders read in')).toBeVisible();
  state.isSpent = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('1,000 orders read in')).toBeVisible();
  await expect(page.getByText('Reading stopped.', { exact: true })).toBeHidden();
});

test('what came since stays wanted when reading it fails, and comes when it is asked for again', async ({ page }) => {
  const newest = (await readAll(page)).slice(0, 12);
  const hidden = await hideNewest(page, newest);
  const state = { isSpent: false };
  await page.route('**/api/orders?*', (route) => (state.isSpent ? route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })) : route.fallback()));
  await page.clock.install();
  await open(page);
  hidden.isEarlier = false;
  await page.clock.runFor(31_000);
  const newer = page.getByRole('button', { name: '12 newer' });
  // The look that finds them has to be answered before nothing is any more.
  await expect(newer).toBeVisible();
  state.isSpent = true;
  await newer.click();
  await expect(page.getByText('Reading stopped.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '12 newer, asked for' })).toBeVisible();
  state.isSpent = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => inColumn(page, 'id')).toContain(newest[0]?.id);
  await expect(newer).toBeHidden();
});

test('where nothing that comes can be believed, that is said, and no more is asked for', async ({ page }) => {
  await page.route('**/api/orders?*', async (route) => {
    const response = await route.fetch();
    const { data, pagination } = (await response.json()) as OrdersPage;
    await route.fulfill({ response, json: { data: data.map((order) => ({ ...order, quantity_filled: String(order.quantity_filled) })), pagination } });
  });
  const asked = watchRequests(page);
  await page.goto('/orders/history');
  await expect(page.getByText('No order that came can be believed')).toBeVisible({ timeout: STARTING });
  await expect(page.getByText('quantity_filled: expected integer, found string')).toBeVisible();
  expect(asked).toHaveLength(2);
  await page.screenshot({ path: 'e2e/artifacts/screens/history-not-believed.png' });
});

test('a filter that the interface does not know is refused by name', async ({ page }) => {
  await page.goto('/orders/history?from=yesterday');
  await expect(page.getByRole('heading', { name: 'A parameter is not of the interface.' })).toBeVisible({ timeout: STARTING });
  await expect(page.getByText(/begin_time/)).toBeVisible();
});

test('why it is not known whether there is anything newer is said beside the age of the newest', async ({ page }) => {
  await page.clock.install();
  await open(page);
  await page.route('**/api/orders?*', (route) => route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })));
  await page.clock.runFor(31_000);
  await expect(page.getByText(/^newest rows .*The next request may go out in 90 s\.$/)).toBeVisible();
});
