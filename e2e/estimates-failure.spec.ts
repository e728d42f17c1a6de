import { expect, type Page } from '@playwright/test';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const ESTIMATED = /\/funding-rates\/estimated\//;
const HOUR = 3_600_000;
/** By then all have been read. */
const ALL_READ_MS = 20_000;
const UNTIL_READ_ANEW_MS = 320_000;

/** A predicted rate that is not current. */
const OLD = '[data-column="estimate"][data-tone="old"]';

const screens = [
  ['Markets', '/', 'boundary'],
  ['the comparison of funding', '/funding', 'next'],
] as const;

/** Far from the end of the current interval, whatever the time of day. */
function amidInterval(): number {
  return Math.floor(Date.now() / (8 * HOUR)) * 8 * HOUR + HOUR;
}

/** Two intervals ago, as from an exchange that has stopped. */
function estimateOfLongAgo(): object {
  const end = Math.floor(Date.now() / (8 * HOUR)) * 8 * HOUR - 8 * HOUR;
  const [interval_start, interval_end] = [end - 8 * HOUR, end].map((at) => new Date(at).toISOString().replace('.000', ''));
  return { funding_rate: 0.0001, interval_start, interval_end };
}

/** The exchange cannot be reached since predicted rates of that age were read. */
function routeStale(page: Page, ageSeconds: number): Promise<unknown> {
  const stale = { 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable', age: String(ageSeconds) };
  return page.route(ESTIMATED, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...stale } });
  });
}

for (const [name, path, next] of screens) {
  test.describe(name, () => {
    test.use({ provoked: /status of 502/ });

    test('predicted rates of an interval that is over are marked as stale', async ({ page }) => {
      await page.route(ESTIMATED, (route) => route.fulfill({ json: estimateOfLongAgo() }));
      await page.clock.install();
      await page.goto(path);
      await expect(page.getByRole('grid').first()).toBeVisible();
      await page.clock.runFor(10_000);
      await expect(page.getByRole('main').getByText('Its interval has ended, and the next predicted rate has not arrived.')).toBeVisible();
      const row = page.getByRole('row').filter({ has: page.locator(OLD) }).first();
      // The settled rates name the next funding time, too.
      await expect(row.locator(`[data-column="${next}"]`)).toHaveText(/^\d:\d\d:\d\d$/);
      await row.locator('[data-column="estimate"]').click();
      await page.keyboard.press('i');
      await expect(page.getByRole('dialog')).toContainText('Its interval has ended');
    });

    test('predicted rates that cannot be read again stay, marked, with the reason', async ({ page }) => {
      await page.clock.install({ time: amidInterval() });
      await page.goto(path);
      await expect(page.getByRole('grid').first()).toBeVisible();
      await page.clock.runFor(ALL_READ_MS);
      await expect(page.locator('[role=gridcell][data-column="estimate"]').filter({ hasText: '…' })).toHaveCount(0);
      await expect(page.locator(OLD)).toHaveCount(0);
      await page.route(ESTIMATED, (route) => route.fulfill(UNREACHABLE));
      await page.clock.runFor(UNTIL_READ_ANEW_MS);
      await expect(page.getByRole('main').getByText(/Predicted rates stale/)).toBeVisible();
      await expect(page.getByRole('main').getByText(/The connection was refused\./)).toBeVisible();
      await expect(page.locator(OLD).first()).toHaveText(/\d/);
    });
  });
}

for (const [name, path] of screens) {
  for (const [ageSeconds, isStale] of [[15, false], [600, true]] as const) {
    test(`${name}: predicted rates that were read ${String(ageSeconds)} s ago are ${isStale ? '' : 'not '}stale while no newer ones can be read`, async ({ page }) => {
      await routeStale(page, ageSeconds);
      await page.clock.install({ time: amidInterval() });
      await page.goto(path);
      await expect(page.getByRole('grid').first()).toBeVisible();
      await page.clock.runFor(ALL_READ_MS);
      // Answers arrive in real time: counted while they do, both counts would be of different moments.
      await expect(page.locator('[role=gridcell][data-column="estimate"]').filter({ hasText: '…' })).toHaveCount(0);
      const rates = page.locator('[role=gridcell][data-column="estimate"]').filter({ hasText: /\d/ });
      await expect(rates.first()).toBeVisible();
      await expect(page.locator(OLD)).toHaveCount(isStale ? await rates.count() : 0);
    });
  }
}

test.describe('one perpetual', () => {
  const estimate = (page: Page) => page.getByTestId('estimate');

  test('a predicted rate of an interval that is over is marked, without a countdown, and left out of the carry', async ({ page }) => {
    await page.route(ESTIMATED, (route) => route.fulfill({ json: estimateOfLongAgo() }));
    await page.goto('/funding/BTCUC');
    await expect(estimate(page)).toContainText('Stale');
    await expect(estimate(page)).toContainText('Its interval has ended, and the next predicted rate has not arrived.');
    await expect(estimate(page)).not.toContainText('settling');
    await expect(page.getByTestId('carry-sum')).toContainText('90 of 90');
    await expect(page.getByTestId('carry-estimate')).toHaveCount(0);
  });

  async function serveStale(page: Page, ageSeconds: number): Promise<void> {
    await routeStale(page, ageSeconds);
    await page.goto('/funding/BTCUC');
    await expect(estimate(page)).toContainText('not settled');
  }

  test('a stale predicted rate gives the reason', async ({ page }) => {
    await serveStale(page, 600);
    await expect(estimate(page)).toContainText('Stale');
    await expect(page.getByTestId('carry-estimate')).toHaveCount(0);
  });

  test('a predicted rate that was read a moment ago is not stale, although no newer one can be read', async ({ page }) => {
    await serveStale(page, 15);
    await expect(page.getByTestId('carry-estimate')).toBeVisible();
    await expect(estimate(page)).not.toContainText('Stale');
  });
});
