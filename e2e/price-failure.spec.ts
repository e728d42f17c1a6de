import { expect } from '@playwright/test';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ provoked: /40[04] \(|50[234] \(|request failed|ERR_/ });

test('when a later read fails the chart stays, dimmed, with age and reason, and recovers by itself', async ({ page }) => {
  await page.clock.install();
  await page.goto('/price/PBTCUCZ50?range=1M');
  const chart = page.getByRole('application');
  await expect(chart).toBeVisible();
  await page.route('**/api/web/charts/price/**', (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('Not current. These are the last good data. It refuses the connection.');
  await expect(chart).toBeVisible();
  await expect(page.getByText(/stale, .* old/).first()).toBeVisible();
  await page.screenshot({ path: 'e2e/artifacts/screens/price-stale-light-1280.png' });
  await page.unroute('**/api/web/charts/price/**');
  await page.clock.runFor(31_000);
  await expect(page.getByRole('main').getByText('Not current.')).toBeHidden();
});

test('two products compared are not current where either of them is not', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
  const other = String(products.find(({ symbol }) => symbol === 'PETHUIZ50')?.product_id);
  await page.route(`**/api/web/charts/price/${other}?*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable' } });
  });
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50');
  const panel = page.getByRole('region', { name: 'PBTCUCZ50 and PETHUIZ50, indexed' });
  await expect(panel).toContainText('Not current. These are the last good data.');
  await expect(panel.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'stale');
  await expect(panel.locator('[data-stale=true]')).toBeVisible();
});

test('without its prices the screen says what happened, and tries again', async ({ page }) => {
  await page.route('**/api/web/charts/price/**', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  const failure = page.getByRole('main').locator('section[data-level]');
  await expect(failure).toContainText('It refuses the connection.');
  const now = page.getByRole('region', { name: 'PBTCUCZ50 now' });
  for (const figure of ['24 h volume', 'Open interest', 'Funding mark']) await expect(now.getByText(figure).first()).toBeVisible();
  await expect(now.getByRole('note')).toHaveText(/^Withheld\. .* has not been read, so prices in ticks are not converted\.$/);
  await expect(page.locator('[aria-live=polite]').filter({ hasText: 'It refuses the connection.' })).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.screenshot({ path: 'e2e/artifacts/screens/price-failed-light-1280.png' });
  await page.unroute('**/api/web/charts/price/**');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('application')).toBeVisible();
});

test('without open interest the prices are shown, and what is missing is said', async ({ page }) => {
  await page.route('**/api/web/charts/voi*', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page.getByText('it could not be read: It refuses the connection.')).toBeVisible();
});

test('figures of now that are missing or old are named above the chart, with the reason', async ({ page }) => {
  const now = page.getByRole('region', { name: 'PBTCUCZ50 now' });
  await page.clock.install();
  await page.route('**/api/web/market/stats/trailing/*', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('application')).toBeVisible();
  await expect(now.getByRole('note')).toHaveText('Missing. 24 h volume: It refuses the connection.');
  await page.unroute('**/api/web/market/stats/trailing/*');
  await page.clock.runFor(31_000);
  await expect(now.getByRole('note')).toHaveCount(0);
  await page.route('**/api/funding-rates/?*', (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(now.getByRole('note')).toHaveText('Not current. Funding mark: It refuses the connection.');
  await expect(now).toContainText('Funding mark');
});

test('a product the venue does not have is refused in its own words', async ({ page }) => {
  await page.goto('/price/999999');
  await expect(page.getByRole('main')).toContainText('Check the product: it may have another number at this venue.');
});

test('while the first answer is awaited the place of the chart says so', async ({ page }) => {
  const release: (() => void)[] = [];
  await page.route('**/api/web/charts/price/**', async (route) => {
    await new Promise<void>((resolve) => release.push(resolve));
    await route.continue();
  });
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('main').getByText('Reading…')).toBeAttached();
  await expect.poll(() => release.length).toBeGreaterThan(0);
  for (const go of release) go();
  await expect(page.getByRole('application')).toBeVisible();
});

test('a range in which nothing traded is empty, and leads to all there is', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?from=2001-01-01&to=2001-02-01');
  await expect(page.getByRole('heading', { name: 'No session traded in this range' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all there is' }).click();
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page).toHaveURL(/range=All/);
});
