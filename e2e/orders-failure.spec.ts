import { expect } from '@playwright/test';
import { expectPriced, openOrders, orderGrid } from './orders-desk.ts';
import { test } from './own-desk.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

// The browser itself logs every failed response.
test.use({ provoked: /Failed to load resource|request failed/ });
// The waits of one test alone may take seventy-five seconds.
test.setTimeout(90_000);

test('when the exchange fails, the last list stays with its age and the reason; when it is back, the list updates', async ({
  page,
  desk,
}) => {
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
  // The exchange has started from scratch, with other orders: its history does not know those that are gone.
  await expect(page.locator('footer').getByText(/^Complete, \d+ gone not verified$/)).toBeVisible({ timeout: 30_000 });
});
