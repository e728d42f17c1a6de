import { expect } from '@playwright/test';
import { test, STARTING, grid, open, type OrdersPage, readAll, watchRequests, inColumn, hideNewest } from './history-page.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

test.use({ provoked: /429|400/ });

test('the rows loaded so far stay, with the reason and a retry', async ({ page }) => {
  const state = { isSpent: true };
  await page.route(/\/api\/orders\?.*cursor=/, async (route) => {
    if (!state.isSpent) return route.continue();
    return route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 }));
  });
  await open(page);
  await grid(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(page.getByText('Loading stopped.', { exact: true })).toBeVisible();
  await expect(page.getByText(/Next retry in 1 min/)).toBeVisible();
  await expect(page.getByText('500 loaded in')).toBeVisible();
  state.isSpent = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('1,000 loaded in')).toBeVisible();
  await expect(page.getByText('Loading stopped.', { exact: true })).toBeHidden();
});

test('a request for newer orders survives a failure, and a retry completes it', async ({ page }) => {
  const newest = (await readAll(page)).slice(0, 12);
  const hidden = await hideNewest(page, newest);
  const state = { isSpent: false };
  await page.route('**/api/orders?*', (route) => (state.isSpent ? route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })) : route.fallback()));
  await page.clock.install();
  await open(page);
  hidden.isEarlier = false;
  await page.clock.runFor(31_000);
  const newer = page.getByRole('button', { name: '12 newer' });
  // The check that finds them must succeed before requests fail.
  await expect(newer).toBeVisible();
  state.isSpent = true;
  await newer.click();
  await expect(page.getByText('Loading stopped.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '12 newer, loading' })).toBeVisible();
  state.isSpent = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => inColumn(page, 'id')).toContain(newest[0]?.id);
  await expect(newer).toBeHidden();
});

test('if every row fails validation, the list says so and requests no more', async ({ page }) => {
  await page.route('**/api/orders?*', async (route) => {
    const response = await route.fetch();
    const { data, pagination } = (await response.json()) as OrdersPage;
    await route.fulfill({ response, json: { data: data.map((order) => ({ ...order, quantity_filled: String(order.quantity_filled) })), pagination } });
  });
  const requests = watchRequests(page);
  await page.goto('/orders/history');
  await expect(page.getByText('No valid order received')).toBeVisible({ timeout: STARTING });
  await expect(page.getByText('quantity_filled: expected integer, found string')).toBeVisible();
  expect(requests).toHaveLength(2);
  await takeShot(page, 'history-not-believed');
});

test('an invalid filter is rejected by name', async ({ page }) => {
  await page.goto('/orders/history?from=whenever');
  await expect(page.getByRole('heading', { name: 'Invalid parameter' })).toBeVisible({ timeout: STARTING });
  await expect(page.getByText(/begin_time/)).toBeVisible();
});

test('a failed check for newer orders gives its reason beside the age of the newest', async ({ page }) => {
  await page.clock.install();
  await open(page);
  await page.route('**/api/orders?*', (route) => route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })));
  await page.clock.runFor(31_000);
  await expect(page.getByText(/^Newest rows .*The next request may go out in 90 s\.$/)).toBeVisible();
});
