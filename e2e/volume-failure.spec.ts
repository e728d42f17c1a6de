import { expect } from '@playwright/test';
import { toProblemResponse, UNREACHABLE } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const READS = '**/api/web/charts/voi*';

test.use({ provoked: /4(?:0[04]|29) \(|50[234] \(|request failed|ERR_/ });

test('when a later request fails the chart stays, dimmed, with age and reason, and recovers by itself', async ({ page }) => {
  await page.clock.install();
  await page.goto('/volume?product=PBTCUCZ50&range=1M');
  const chart = page.getByRole('application');
  await expect(chart).toBeVisible();
  await page.route(READS, (route) => route.fulfill(UNREACHABLE));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('Stale. Showing the last good data. The connection was refused.');
  await expect(chart).toBeVisible();
  await expect(page.getByText(/stale, .* old/).first()).toBeVisible();
  await takeShot(page, 'volume-stale-light-1280');
  await page.unroute(READS);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('main').getByText('Stale.')).toBeHidden();
});

test('without a response the screen says what happened, and retries', async ({ page }) => {
  await page.route(READS, (route) => route.fulfill(UNREACHABLE));
  await page.goto('/volume?product=PBTCUCZ50');
  const failure = page.getByRole('main').locator('section[data-level]');
  await expect(failure).toContainText('The connection was refused.');
  await page.unroute(READS);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('application')).toBeVisible();
});

test('stacked, one product that cannot be read fails the whole chart: the stack would be too low', async ({ page }) => {
  let requests = 0;
  await page.route(READS, async (route) => {
    requests += 1;
    await (requests === 2 ? route.fulfill(UNREACHABLE) : route.continue());
  });
  await page.goto('/volume?series=BUS&as=stacked&range=1M');
  await expect(page.getByRole('main').locator('section[data-level]')).toContainText('The connection was refused.');
  await expect(page.getByRole('application')).toHaveCount(0);
});

test('stacked, a day on which one product has no row is n/a and named: the stack would be too low', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
  const cut = String(products.find(({ symbol }) => symbol === 'PETHUIZ50')?.product_id);
  await page.route(`**/api/web/charts/voi?product_id=${cut}&*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: ((await response.json()) as readonly unknown[]).toSpliced(-4, 1) });
  });
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&range=1M&view=table');
  await expect(page.getByText(/^Total open interest not shown for \d+ \w+ \d{4}: PETHUIZ50 missing\.$/)).toBeVisible();
  await expect(page.getByRole('cell', { name: 'n/a', exact: true })).toHaveCount(1);
});

test('a response of the wrong shape is rejected and shown', async ({ page }) => {
  await page.route(READS, (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '"closed"' }));
  await page.goto('/volume?product=PBTCUCZ50');
  await expect(page.getByRole('main').locator('section[data-level]')).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
  await page.getByText('Raw response', { exact: true }).click();
  await expect(page.getByText('"closed"', { exact: true })).toBeVisible();
});

test('an unknown symbol is named', async ({ page }) => {
  await page.goto('/volume?product=NOTHING');
  await expect(page.getByRole('heading', { name: 'No product “NOTHING”' })).toBeVisible();
});

test('a range without settlements is empty, and leads to all data', async ({ page }) => {
  await page.goto('/volume?product=PBTCUCZ50&from=2001-01-01&to=2001-02-01');
  await expect(page.getByRole('heading', { name: 'No session settled in this range' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all data' }).click();
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page).toHaveURL(/range=All/);
});

test('a notice over old data says what to do, and when the next retry is', async ({ page }) => {
  await page.clock.install();
  await page.goto('/volume?product=PBTCUCZ50&range=1M');
  await expect(page.getByRole('application')).toBeVisible();
  await page.route(READS, (route) => route.fulfill(toProblemResponse('budget-spent', 'The next request may go out in 90 s.', { retryAfter: 90 })));
  await page.clock.runFor(65_000);
  await expect(page.getByRole('main')).toContainText('The next request may go out in 90 s. Perpdesk retries as soon as the exchange allows it.');
  // How much of the 90 s is left depends on the age of the cached response when the page loaded.
  await expect(page.getByRole('main').getByText(/^Next retry in (?:1 min|\d+ s)/)).toBeVisible();
});
