// Figures of the exchange that contradict each other, on every screen that shows them.
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { currentTest as test } from './orders-desk.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

type Row = Readonly<Record<string, unknown>>;

test.use({ viewport: { width: 1440, height: 1_600 } });

/** Changes rows of a response from now on: of a list, of the directory, or one object. */
async function change(page: Page, path: string | RegExp, changeRow: (row: Row) => Row): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as readonly Row[] | Row;
    await route.fulfill({ response, json: changeRows(body, changeRow) });
  });
}

function changeRows(body: readonly Row[] | Row, changeRow: (row: Row) => Row): unknown {
  if (isList(body)) return body.map(changeRow);
  return isList(body['products']) ? { ...body, products: body['products'].map(changeRow) } : changeRow(body);
}

function isList(value: unknown): value is readonly Row[] {
  return Array.isArray(value);
}

const DIRECTORY = '**/api/desk/products';
const TRAILING = '**/api/web/market/stats/trailing/**';
const DAILY = /\/api\/web\/charts\/voi/;

function times(id: number, field: string, factor: number): (row: Row) => Row {
  return (row) => ((row['product_id'] ?? row['productId']) === id && typeof row[field] === 'number' ? { ...row, [field]: row[field] * factor } : row);
}

async function findProduct(page: Page, symbol: string): Promise<number> {
  const { products } = (await (await page.request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
  const id = products.find((product) => product.symbol === symbol)?.product_id;
  if (id === undefined) throw new Error(`the exchange has no ${symbol}`);
  return id;
}

async function openMarkets(page: Page, symbol: string): Promise<Locator> {
  await page.goto(`/?q=${symbol}`);
  const row = page.getByRole('grid', { name: 'Markets' }).getByRole('row').filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
  await expect(row).toBeVisible({ timeout: 15_000 });
  return row;
}

function cellOf(row: Locator, column: string): Locator {
  return row.locator(`[data-column="${column}"]`);
}

test('Status shows every check with what it found: one tick size of the exchange is wrong', async ({ page }) => {
  // However old the list of products is: the age is that of the figures that are compared.
  await page.route(DIRECTORY, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), age: '1800' } });
  });
  await page.setViewportSize({ width: 1280, height: 1_600 });
  await page.goto('/status');
  const checks = page.getByRole('region', { name: 'Cross-checks' });
  const row = checks.getByRole('row').filter({ hasText: 'Settlement and open interest' });
  await expect(row).toContainText(/PSHBUNZ50: the second figure is 0\.001 times the first, session of \d+ \w+ \d{4}/, { timeout: 30_000 });
  await expect.poll(async () => Number(await row.getByRole('cell').nth(1).innerText())).toBeGreaterThan(50);
  await expect(row.getByRole('cell').nth(2)).toHaveText('1');
  await expect(checks.getByRole('row').filter({ hasText: 'Volume of a session' }).getByRole('cell').nth(2)).toHaveText('0');
  await expect(checks.getByRole('row').filter({ hasText: 'Settlement, product data and chart' })).toContainText('Checked on Price, Volume / OI and Funding');
  await expect(checks.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'live');
  expect(await checks.getByRole('group').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await takeShot(page, 'cross-checks-light-1280', { fullPage: true });
});

test('a tick size that is off by 5 % is found on every screen that converts by it', async ({ page }) => {
  const id = await findProduct(page, 'PETHUIZ50');
  await change(page, DIRECTORY, times(id, 'price_increment', 1.05));
  const row = await openMarkets(page, 'PETHUIZ50');
  await expect(cellOf(row, 'last')).toHaveText('n/a');
  await expect(cellOf(row, 'settlement')).toHaveText('n/a');
  await expect(page.getByText('PETHUIZ50: USD prices withheld.')).toBeVisible();
  await page.goto('/status');
  await expect(page.getByRole('region', { name: 'Cross-checks' })).toContainText('PETHUIZ50: the second figure is 0.9524 times the first', { timeout: 30_000 });
  await takeShot(page, 'cross-checks-failed-light-1440', { fullPage: true });
  await page.goto('/price/PETHUIZ50');
  const figures = page.getByRole('region', { name: 'PETHUIZ50 current figures' });
  await expect(figures.getByRole('note')).toContainText('gives about 1.05 times the exchange’s own USD price');
  await expect(figures.locator('div', { has: page.getByText(/^Settlement USD/) }).getByRole('button').first()).toHaveText(/^[\d,]+\.\d\d$/);
  await page.goto('/funding/ETHUI');
  await expect(page.getByText('gives about 1.05 times the exchange’s own USD price').first()).toBeVisible({ timeout: 15_000 });
  await page.goto('/orders?f=product:is:PETHUIZ50');
  await expect(page.locator('[role=gridcell][data-column=price]').first()).toHaveText('n/a', { timeout: 15_000 });
});

test('a 24 h volume in cents is found on Markets and Price, and is not in the total', async ({ page }) => {
  const id = await findProduct(page, 'PBTCUCZ50');
  await change(page, TRAILING, times(id, 'notionalVolume', 100));
  const row = await openMarkets(page, 'PBTCUCZ50');
  await expect(cellOf(row, 'volumeUsd')).toHaveText('n/a');
  await expect(cellOf(row, 'volume')).toHaveText(/^[\d,]+$/);
  await expect(cellOf(row, 'last')).not.toHaveText('n/a');
  await expect(page.getByText('PBTCUCZ50: 24 h volume in USD withheld.')).toBeVisible();
  await expect(page.locator('footer')).toContainText('24 h volume USD: notional – (0 of 1 products)');
  await page.goto('/price/PBTCUCZ50');
  await expect(page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).getByRole('note')).toContainText('The USD value of the 24 h volume is about 100 times');
});

test('daily values in dollars get one notice, whatever the number of products, and no tick size is blamed', async ({ page }) => {
  await change(page, DAILY, (row) => ({ ...row, notionalVolume: toDollars(row['notionalVolume']), notionalOpenInterest: toDollars(row['notionalOpenInterest']) }));
  await page.goto('/');
  await expect(page.getByText(/and \d+ more: USD open interest withheld\./)).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('main').getByText(/withheld\.$/)).toHaveCount(2);
  const row = await openMarkets(page, 'PBTCUCZ50');
  await expect(cellOf(row, 'openInterestUsd')).toHaveText('n/a');
  await expect(cellOf(row, 'settlement')).not.toHaveText('n/a');
});

function toDollars(cents: unknown): unknown {
  return typeof cents === 'number' ? Math.round(cents / 100) : cents;
}

test('a total that is not the sum of its products is withheld, and stacked they are shown', async ({ page }) => {
  await page.route(/\/api\/web\/charts\/voi\?.*product_id=\d+&.*product_id=\d+/, async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly Row[];
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, volume: typeof row['volume'] === 'number' ? row['volume'] + 1 : null })) });
  });
  // Perpetuals trade every day; of a series, a future listed at the last expiry has no session yet.
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50');
  const panel = page.getByRole('main').locator('section[data-level]');
  await expect(panel.getByRole('heading', { name: 'Total withheld' })).toBeVisible({ timeout: 15_000 });
  await expect(panel).toContainText(/The exchange’s total for \d+ \w+ \d{4} is [\d,]+ contracts, but the products add up to [\d,]+\./);
  await panel.getByRole('button', { name: 'Show the products stacked' }).click();
  await expect(page).toHaveURL(/as=stacked/);
  await expect(page.locator('canvas').first()).toBeVisible();
});

test('daily values of one product in dollars are withheld on Volume, alone, stacked and in a total', async ({ page }) => {
  const id = await findProduct(page, 'PBTCUCZ50');
  await change(page, DAILY, (row) => (row['productId'] === id ? { ...row, notionalVolume: toDollars(row['notionalVolume']), notionalOpenInterest: toDollars(row['notionalOpenInterest']) } : row));
  const notice = page.getByRole('note').filter({ hasText: 'PBTCUCZ50: USD values withheld.' });
  await page.goto('/volume?product=PBTCUCZ50&unit=usd&view=table');
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText(/Daily .* about 1\/100 of/);
  // Open interest of the newest sessions is not published yet.
  await expect(page.getByRole('table').getByRole('row').nth(5).getByText('n/a')).toHaveCount(2);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const [heading = '', line = ''] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
  expect([heading, line]).toEqual([expect.stringContaining('withheld_because'), expect.stringMatching(/about 1\/100 of/)]);
  await page.getByRole('radio', { name: 'Contracts' }).check();
  await expect(page.getByRole('table').getByText('n/a')).toHaveCount(0);
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&unit=usd');
  await expect(notice).toHaveCount(1);
  const legend = page.getByTestId('legend');
  await expect(legend.getByRole('button', { name: 'n/a' })).toHaveCount(4);
  await takeShot(page, 'volume-usd-withheld-light-1440');
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&unit=usd');
  await expect(notice).toHaveCount(1);
  await expect(legend.getByRole('button', { name: 'n/a' })).toHaveCount(2);
});

test('a contract size that is off withholds all values in USD on Price and Volume, with the reason once', async ({ page }) => {
  const id = await findProduct(page, 'PBTCUCZ50');
  await change(page, DIRECTORY, times(id, 'contract_size', 10));
  const reason = page.getByText(/gives about 10 times the exchange’s own USD values/);
  await page.goto('/price/PBTCUCZ50');
  await expect(reason).toHaveCount(1);
  const figures = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  await expect(figures).toContainText('contract size n/a');
  for (const name of ['24 h volume', 'Open interest']) await expect(figures.locator('dl > div').filter({ hasText: name }).getByRole('button').last()).toHaveText('n/a');
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&unit=usd');
  await expect(page.getByRole('note')).toHaveText(/^PBTCUCZ50: USD values withheld\. The published contract size, [\d.]+, gives about 10 times the exchange’s own USD values/);
});

test('a settlement of the chart that alone is off is withheld in the header and in the chart; volume stays', async ({ page }) => {
  await change(page, /\/api\/web\/charts\/price\//, (row) => ({ ...row, settlementPrice: (Number(row['settlementPrice']) * 1.05).toFixed(10) }));
  await page.goto('/price/PBTCUCZ50?view=table');
  const reason = /The chart’s settlement of .* is about 1\.05 times that of product data and open interest/;
  await expect(page.getByRole('note').filter({ hasText: reason })).toHaveCount(1);
  const cells = page.getByRole('table').getByRole('row').nth(3).getByRole('cell');
  await expect(cells.filter({ hasText: 'n/a' })).toHaveCount(1);
  await page.goto('/price/PBTCUCZ50');
  await page.getByTestId('legend').getByRole('button', { name: 'n/a' }).click();
  await expect(page.getByRole('dialog')).toContainText(reason);
});

test.describe('where the exchange offers no product data', () => {
  test.use({ provoked: /404/ });

  test('there is no settlement, and the tooltip says why', async ({ page }) => {
    await page.route(/\/api\/product\/data\//, (route) => route.fulfill(toProblemResponse('not-found', 'The exchange does not offer this.')));
    const row = await openMarkets(page, 'PBTCUCZ50');
    await expect(cellOf(row, 'settlement')).toHaveText('–');
    await cellOf(row, 'settlement').click();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog')).toContainText('Product data have not been read, or the exchange does not offer them.');
  });
});
