import { expect, type Page } from '@playwright/test';
import { openOrders } from './orders-desk.ts';
import { test } from './watched-page.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 8 * HOUR_MS;
/** Estimates come last, one by one, and the desk has just been started. */
const ESTIMATED = 30_000;

// High enough for all rows: a list draws those in sight.
test.use({ viewport: { width: 1_720, height: 4_400 } });

/** The desk says that the venue's clock is so far ahead of its own, which both of these are here. */
async function setVenueAhead(page: Page, milliseconds: number): Promise<void> {
  await page.route('**/api/desk/status', async (route) => {
    const answer = await route.fetch();
    const status = (await answer.json()) as { readonly venue: object };
    await route.fulfill({ response: answer, json: { ...status, venue: { ...status.venue, clock_offset_ms: milliseconds } } });
  });
}

/** Half an hour before the end of the interval in progress, by the venue's clock. */
function aheadToHalfAnHourBefore(): number {
  return INTERVAL_MS - (Date.now() % INTERVAL_MS) - HOUR_MS / 2;
}

for (const [path, column] of [['/', 'boundary'], ['/funding', 'next']] as const) {
  test(`the time to the next funding on ${path} is counted by the venue's clock`, async ({ page }) => {
    await setVenueAhead(page, aheadToHalfAnHourBefore());
    await page.goto(path);
    await expect(page.locator(`[role=gridcell][data-column="${column}"]`, { hasText: /\d/ }).first()).toHaveText(/^0:29:\d\d$/, { timeout: ESTIMATED });
  });
}

test('how much of an interval has passed is counted by the venue’s clock', async ({ page }) => {
  await setVenueAhead(page, aheadToHalfAnHourBefore());
  await page.goto('/funding');
  await expect(page.locator('[role=gridcell][data-column="elapsed"]', { hasText: '%' }).first()).toHaveText(/^93\.\d %/, { timeout: ESTIMATED });
});

test('ages of orders are counted by the venue’s clock; by one that is behind their own times none is told', async ({ page }) => {
  await setVenueAhead(page, 400 * 24 * HOUR_MS);
  await openOrders(page);
  const age = page.locator('[role=gridcell][data-column="age"]').first();
  await expect(age).toHaveText(/4\d\d d/);
  await setVenueAhead(page, -400 * 24 * HOUR_MS);
  await openOrders(page);
  await expect(age).toHaveText('–');
});
