import { expect } from '@playwright/test';
import { openOrders } from './orders-desk.ts';
import { setVenueAhead } from './venue-clock.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 8 * HOUR_MS;
/** Predicted rates load last, one by one, on a server that has just started. */
const ESTIMATED = 30_000;

// High enough for all rows: a grid renders only those in view.
test.use({ viewport: { width: 1_720, height: 4_400 } });

/** Half an hour before the next funding time, by the exchange's clock. */
function aheadToHalfAnHourBefore(): number {
  return INTERVAL_MS - (Date.now() % INTERVAL_MS) - HOUR_MS / 2;
}

for (const [path, column] of [['/', 'boundary'], ['/funding', 'next']] as const) {
  test(`the funding countdown on ${path} follows the exchange's clock`, async ({ page }) => {
    await setVenueAhead(page, aheadToHalfAnHourBefore());
    await page.goto(path);
    await expect(page.locator(`[role=gridcell][data-column="${column}"]`, { hasText: /\d/ }).first()).toHaveText(/^0:29:\d\d$/, { timeout: ESTIMATED });
  });
}

test('the elapsed share of an interval follows the exchange’s clock', async ({ page }) => {
  await setVenueAhead(page, aheadToHalfAnHourBefore());
  await page.goto('/funding');
  await expect(page.locator('[role=gridcell][data-column="elapsed"]', { hasText: '%' }).first()).toHaveText(/^93\.\d %/, { timeout: ESTIMATED });
});

test('ages of orders follow the exchange’s clock; orders from the future have none', async ({ page }) => {
  await setVenueAhead(page, 400 * 24 * HOUR_MS);
  await openOrders(page);
  const age = page.locator('[role=gridcell][data-column="age"]').first();
  await expect(age).toHaveText(/4\d\d d/);
  await setVenueAhead(page, -400 * 24 * HOUR_MS);
  await openOrders(page);
  await expect(age).toHaveText('–');
});
