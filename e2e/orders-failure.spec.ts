import { expect } from '@playwright/test';
import { expectPriced, openOrders, orderGrid, readWorking } from './orders-desk.ts';
import { test } from './own-desk.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

// The browser itself logs every answer that is a failure.
test.use({ provoked: /Failed to load resource|request failed/ });
// The waits of one test alone may take seventy-five seconds.
test.setTimeout(90_000);

test('when the exchange fails, the last list stays with its age and the reason; when it is back, the list updates', async ({ page, desk }) => {
  await openOrders(page);
  await expectPriced(page);
  const shown = await page.locator('footer').innerText();
  const top = (await orderGrid(page).boundingBox())?.y;
  await desk.killVenue();
  const bar = page.getByRole('region', { name: 'Outage' });
  await expect(bar).toContainText('Exchange unreachable', { timeout: 30_000 });
  await expect(orderGrid(page)).toBeVisible();
  // No row moves under the pointer.
  expect((await orderGrid(page).boundingBox())?.y).toBe(top);
  await expect(page.getByText(/^Stale, complete at \d\d:\d\d:\d\d( UTC)?$/)).toHaveCount(2);
  await expect(page.getByText('Complete', { exact: true })).toHaveCount(0);
  expect(shown.split('\n')[0]).toBe((await page.locator('footer').innerText()).split('\n')[0]);
  await takeShot(page, 'orders-stale-light-1280');
  await desk.reviveVenue();
  await expect(bar).toBeHidden({ timeout: 45_000 });
  // The exchange has begun anew, with other orders: its history knows nothing of those that are gone.
  await expect(page.locator('footer').getByText(/^Complete, \d+ gone not verified$/)).toBeVisible({ timeout: 30_000 });
});

for (const width of [390, 1440]) {
  test(`at ${String(width)} px a notice of stale data moves no row, and its retry reads at once, with the part of the budget that is kept for it`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openOrders(page);
    await expectPriced(page);
    const top = (await orderGrid(page).boundingBox())?.y;
    await page.route('**/api/desk/working', async (route) => {
      if (route.request().headers()['desk-purpose'] === 'interactive') await route.continue();
      else await route.fulfill(toProblemResponse('budget-spent', 'The rest is kept for what you do yourself.'));
    });
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible({ timeout: 30_000 });
    expect((await orderGrid(page).boundingBox())?.y).toBe(top);
    const read = page.waitForResponse((response) => response.url().endsWith('/api/desk/working') && response.ok());
    await retry.click();
    await read;
    await expect(retry).toBeHidden();
    expect((await orderGrid(page).boundingBox())?.y).toBe(top);
  });
}

test('without any data the list says what happened and what to do', async ({ page }) => {
  await page.route('**/api/desk/working', (route) => route.abort());
  await page.goto('/orders');
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible({ timeout: 45_000 });
  await expect(orderGrid(page)).toHaveCount(0);
  await takeShot(page, 'orders-failed-light-1280');
});

test('orders that all fail validation are not shown as no orders', async ({ page }) => {
  await page.route('**/api/desk/working', async (route) => {
    const answer = await readWorking(page);
    await route.fulfill({ json: { ...answer, orders: answer.orders.map((order) => ({ ...order, account_id: undefined })) } });
  });
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No valid order received' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('main')).toContainText('You may have working orders.');
  await expect(page.getByRole('heading', { name: 'No working orders' })).toHaveCount(0);
});

test('empty parts are not shown as no orders while others could not be read', async ({ page }) => {
  await page.route('**/api/desk/working', async (route) => {
    const answer = await readWorking(page);
    await route.fulfill({ json: { ...answer, complete: false, unproven: ['One part was not read.'], parts: [], orders: [] } });
  });
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'Working orders unknown' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('heading', { name: 'No working orders' })).toHaveCount(0);
});

test.describe('without product data', () => {
  test.use({ provoked: /404/ });

  test('the footer says if more funding rates exist than were read for the tick size checks', async ({ page }) => {
    await page.route(/\/api\/product\/data\//, (route) => route.fulfill(toProblemResponse('not-found', 'The exchange does not offer this.')));
    await page.route('**/api/funding-rates/?*', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { readonly data: readonly object[] };
      await route.fulfill({ response, json: { data, pagination: { cursor: 'more' } } });
    });
    await openOrders(page);
    await expect(page.locator('footer')).toContainText('Only the first 100 funding rates were read', { timeout: 15_000 });
  });
});

test('an order that is filled beyond its quantity stays in the list, and out of the sums', async ({ page }) => {
  await page.route('**/api/desk/working', async (route) => {
    const answer = await readWorking(page);
    const [first, ...others] = answer.orders;
    await route.fulfill({ json: { ...answer, orders: [{ ...first, side: 'Bid', quantity_requested: 5, quantity_filled: 10 }, ...others] } });
  });
  await openOrders(page, '?f=status:has:withheld');
  await expect(page.locator('footer')).toContainText('excluding 1 order with an impossible quantity', { timeout: 15_000 });
  await expect(orderGrid(page).locator('[data-column=filled]').filter({ hasText: 'n/a / 5' })).toHaveCount(1);
  await expect(orderGrid(page).locator('[data-column=remaining]').filter({ hasText: 'n/a' })).toHaveCount(1);
  await expect(page.locator('footer')).toContainText('Σ Bid – contracts');
});
