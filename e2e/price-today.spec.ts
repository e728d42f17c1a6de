import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ live: false });

interface Running {
  readonly settlement_time: string;
  readonly settlement_price: number;
}

/** The exchange's product data with a session that has traded since the last settlement, at any hour. */
async function runSession(page: Page, hasTraded: boolean): Promise<void> {
  await page.route(/\/product\/data\/\d+$/, async (route) => {
    const response = await route.fetch();
    const row = (await response.json()) as Running;
    const settled = Date.parse(row.settlement_time);
    const [tradedAt, price] = [new Date(settled + (hasTraded ? 1_000 : -1_000)).toISOString(), Math.round(row.settlement_price)];
    const traded = { last_price_time: tradedAt, open_price: price, high_price: price + 20, low_price: price - 10, last_price: price + 5, close_price: price + 5, price_change: price + 5 - row.settlement_price, volume: 9 };
    await route.fulfill({ response, json: { ...row, ...traded } });
  });
}

const legend = (page: Page) => page.getByTestId('legend');

test('the running session is the last bar, marked as in progress, with the time of its last trade', async ({ page }) => {
  await runSession(page, true);
  await page.goto('/price/PBTCUCZ50?range=1M');
  await expect(legend(page).locator('dd').first()).toHaveText(/^\d+ \w+ \d{4}, in progress$/);
  await expect(page.getByText(/^Session of \d+ \w+ \d{4}, outlined: in progress, last trade [\d-]+ [\d:]+ UTC\.$/)).toBeVisible();
  await expect(legend(page)).toContainText(/Volume\s*9/);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('row', { name: /in progress/ })).toHaveCount(1);
});

test('before its first trade there is no running session', async ({ page }) => {
  await runSession(page, false);
  await page.goto('/price/PBTCUCZ50?range=1M');
  await expect(legend(page).locator('dd').first()).toHaveText(/^\d+ \w+ \d{4}$/);
  await expect(page.getByText('in progress')).toHaveCount(0);
});

test('a range that ends in the past has none', async ({ page }) => {
  await runSession(page, true);
  const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await page.goto(`/price/PBTCUCZ50?from=${day(60)}&to=${day(40)}`);
  await expect(legend(page).locator('dd').first()).toHaveText(/^\d+ \w+ \d{4}$/);
});
