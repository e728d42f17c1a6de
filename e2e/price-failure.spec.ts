import { expect } from '@playwright/test';
import { UNREACHABLE } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ provoked: /40[04] \(|50[234] \(|request failed|ERR_/ });

test('when a later request fails the chart stays, dimmed, with age and reason, and recovers by itself', async ({ page }) => {
  await page.clock.install();
  await page.goto('/price/PBTCUCZ50?range=1M');
  const chart = page.getByRole('application');
  await expect(chart).toBeVisible();
  await page.route('**/api/web/charts/price/**', (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('Stale. Showing the last good data. The connection was refused.');
  await expect(chart).toBeVisible();
  await expect(page.getByText(/stale, .* old/).first()).toBeVisible();
  await takeShot(page, 'price-stale-light-1280');
  await page.unroute('**/api/web/charts/price/**');
  await page.clock.runFor(31_000);
  await expect(page.getByRole('main').getByText('Stale.')).toBeHidden();
});

test('a comparison is not current where either product is not', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
  const other = String(products.find(({ symbol }) => symbol === 'PETHUIZ50')?.product_id);
  await page.route(`**/api/web/charts/price/${other}?*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable' } });
  });
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50');
  const panel = page.getByRole('region', { name: 'PBTCUCZ50 and PETHUIZ50, rebased to 100' });
  await expect(panel).toContainText('Stale. Showing the last good data.');
  await expect(panel.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'stale');
  await expect(panel.locator('[data-stale=true]')).toBeVisible();
});

test('without prices the screen says what happened, and retries', async ({ page }) => {
  await page.route('**/api/web/charts/price/**', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  const failure = page.getByRole('main').locator('section[data-level]');
  await expect(failure).toContainText('The connection was refused.');
  const now = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  for (const figure of ['24 h volume', 'Open interest', 'Mark at last funding']) await expect(now.getByText(figure).first()).toBeVisible();
  // The value of open interest is enough to check the tick size.
  await expect(now.locator('div', { has: page.getByText('Mark at last funding USD') }).getByRole('button')).toHaveText(/^[\d,]+(\.\d+)?$/);
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'The connection was refused.' })).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await takeShot(page, 'price-failed-light-1280');
  await page.unroute('**/api/web/charts/price/**');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('application')).toBeVisible();
});

test('without open interest the prices are shown, with a remark on what is missing', async ({ page }) => {
  await page.route('**/api/web/charts/voi*', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page.getByText('Open interest not loaded: The connection was refused.')).toBeVisible();
});

test('header figures that are missing or old are named above the chart, with the reason', async ({ page }) => {
  const now = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await page.clock.install();
  await page.route('**/api/web/market/stats/trailing/*', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('application')).toBeVisible();
  await expect(now.getByRole('note')).toHaveText('Not loaded. 24 h volume: The connection was refused.');
  await page.unroute('**/api/web/market/stats/trailing/*');
  await page.clock.runFor(31_000);
  await expect(now.getByRole('note')).toHaveCount(0);
  await page.route('**/api/funding-rates/?*', (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(now.getByRole('note')).toHaveText('Stale. Last funding, index and mark: The connection was refused.');
  await expect(now).toContainText('Mark at last funding');
});

test('a predicted rate that cannot be read is named, and the countdown goes on', async ({ page }) => {
  const now = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await page.route('**/funding-rates/estimated/**', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  await expect(now.getByRole('note')).toHaveText('Not loaded. Predicted rate: The connection was refused.');
  await expect(now.getByText('Last funding % per 8 h')).toBeVisible();
  await expect(now.locator('dl > div').filter({ hasText: 'Next funding in' })).toContainText(/\d:\d\d:\d\d|settling/);
});

test('a predicted rate whose interval is over is overdue', async ({ page }) => {
  const now = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await page.route('**/funding-rates/estimated/**', async (route) => {
    const response = await route.fetch();
    const row = (await response.json()) as { readonly interval_start: string };
    const earlier = (hours: number): string => new Date(Date.parse(row.interval_start) - hours * 3_600_000).toISOString().replace('.000', '');
    await route.fulfill({ response, json: { ...row, interval_start: earlier(16), interval_end: earlier(8) } });
  });
  await page.goto('/price/PBTCUCZ50');
  await expect(now.getByRole('note')).toHaveText('Overdue. Predicted rate: Its interval has ended, and the next predicted rate has not arrived.');
  await expect(now.locator('dl > div[data-old]')).toContainText('Predicted rate');
});

test('a product that the exchange does not have is explained', async ({ page }) => {
  await page.goto('/price/999999');
  await expect(page.getByRole('main')).toContainText('Check the product: its ID may differ at this exchange.');
});

test('until the first response the chart’s place shows that it is loading', async ({ page }) => {
  const release: (() => void)[] = [];
  await page.route('**/api/web/charts/price/**', async (route) => {
    await new Promise<void>((resolve) => release.push(resolve));
    await route.continue();
  });
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('main').getByText('Loading…')).toBeAttached();
  await expect.poll(() => release.length).toBeGreaterThan(0);
  for (const go of release) go();
  await expect(page.getByRole('application')).toBeVisible();
});

test('a range without trades is empty, and leads to all data', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?from=2001-01-01&to=2001-02-01');
  await expect(page.getByRole('heading', { name: 'No trades in this range' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all data' }).click();
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page).toHaveURL(/range=All/);
});
