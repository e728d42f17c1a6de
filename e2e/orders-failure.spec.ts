import { expect } from '@playwright/test';
import { openOrders, orderGrid, readWorking } from './orders-desk.ts';
import { test } from './own-desk.ts';

// The browser itself logs every answer that is a failure.
test.use({ provoked: /Failed to load resource|request failed/ });
// The waits of one test alone may take seventy-five seconds.
test.setTimeout(90_000);

test('the venue goes: the last list stays with its age and the reason; it comes back: the list goes on', async ({ page, desk }) => {
  await openOrders(page);
  const shown = await page.locator('footer').innerText();
  await desk.killVenue();
  await expect(page.getByText('Not current.', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(orderGrid(page)).toBeVisible();
  expect(shown.split('\n')[0]).toBe((await page.locator('footer').innerText()).split('\n')[0]);
  await page.screenshot({ path: 'e2e/artifacts/screens/orders-stale-light-1280.png' });
  await desk.reviveVenue();
  await expect(page.getByText('Not current.', { exact: true })).toBeHidden({ timeout: 45_000 });
});

test('a desk that cannot read anything says what happened and what to do', async ({ page }) => {
  await page.route('**/api/desk/working', (route) => route.abort());
  await page.goto('/orders');
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible({ timeout: 45_000 });
  await expect(orderGrid(page)).toHaveCount(0);
  await page.screenshot({ path: 'e2e/artifacts/screens/orders-failed-light-1280.png' });
});

test('orders of which none can be believed are not called none at all', async ({ page }) => {
  await page.route('**/api/desk/working', async (route) => {
    const answer = await readWorking(page);
    await route.fulfill({ json: { ...answer, orders: answer.orders.map((order) => ({ ...order, account_id: undefined })) } });
  });
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No order that came can be believed' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('main')).toContainText('What of yours rests in the market is not known.');
  await expect(page.getByRole('heading', { name: 'No working orders' })).toHaveCount(0);
});

test('parts that are empty say nothing of the parts that could not be read', async ({ page }) => {
  await page.route('**/api/desk/working', async (route) => {
    const answer = await readWorking(page);
    await route.fulfill({ json: { ...answer, complete: false, unproven: ['One part was not read.'], parts: [], orders: [] } });
  });
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No order could be read' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('heading', { name: 'No working orders' })).toHaveCount(0);
});
