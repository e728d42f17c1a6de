import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { cellOf, type Funding } from './funding-page.ts';
import { takeShot } from './take-shot.ts';
import { setVenueAhead } from './venue-clock.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const INTERVAL_MS = DAY_MS / 3;
/** Long enough after a funding time for every rate to have settled and been read. */
const READ_MS = 1_200_000;
/** The funding time up to which current perpetuals have settled. */
const CURRENT = Math.floor((Date.now() - READ_MS) / INTERVAL_MS) * INTERVAL_MS;
const STOPPED = CURRENT - 3 * DAY_MS;
const OVERDUE_RATE = /the newest settled rate is from \d+ \w{3} \d{4} \d\d:00 UTC; that of \d+ \w{3} \d{4} \d\d:00 UTC is missing\./i;
const OVERDUE_SETTLEMENT = /the newest settlement(?: in the product data)? is from \d+ \w{3} \d{4}; that of \d+ \w{3} \d{4} is missing\./i;

// Reading the canvas back makes the browser log a hint.
test.use({ provoked: /willReadFrequently/ });

type Stops = (symbol: string) => boolean;

/** In the middle of an interval by the exchange's clock, so that no funding time passes during a test. */
function keepAmidInterval(page: Page): Promise<void> {
  return setVenueAhead(page, CURRENT + INTERVAL_MS / 2 - Date.now());
}

/** Ends the settled rates of some perpetuals three days ago. */
async function stopFunding(page: Page, stops: Stops): Promise<void> {
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    const perpetuals = body.perpetuals.map((perpetual) => {
      const to = stops(perpetual.base_symbol) ? STOPPED : CURRENT;
      return { ...perpetual, prints: perpetual.prints.filter(({ interval_end: end }) => Date.parse(end) <= to), known_to: new Date(to).toISOString() };
    });
    await route.fulfill({ response, json: { ...body, perpetuals } });
  });
}

/** The same of the latest rates, which are then old ones. */
async function stopLatest(page: Page, stops: (productId: number) => boolean): Promise<void> {
  const [interval_start, interval_end] = [STOPPED - INTERVAL_MS, STOPPED].map((at) => new Date(at).toISOString());
  await page.route(/\/api\/funding-rates\/\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly data: readonly { readonly product_id: number }[] };
    const data = body.data.map((row) => (stops(row.product_id) ? { ...row, interval_start, interval_end } : row));
    await route.fulfill({ response, json: { ...body, data } });
  });
}

/** Trading data of two weeks ago; each trade on a whole minute, which is shown with its seconds as any other. */
async function ageTradingData(page: Page): Promise<void> {
  const before = (instant: string | null): string | null => instant && new Date(Math.floor((Date.parse(instant) - 14 * DAY_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  await page.route(/\/api\/product\/data\//, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Row | readonly Row[];
    const age = (row: Row): Row => ({ ...row, last_price_time: before(row.last_price_time), settlement_time: before(row.settlement_time) });
    await route.fulfill({ response, json: Array.isArray(body) ? (body as readonly Row[]).map(age) : age(body as Row) });
  });
}

interface Row {
  readonly last_price_time: string | null;
  readonly settlement_time: string | null;
}

const notice = (page: Page) => page.getByRole('note').filter({ hasText: 'Overdue.' });
const marketCell = (page: Page, symbol: string, column: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: symbol, exact: true }) }).locator(`[data-column="${column}"]`);

test.describe('where all funding has stopped three days ago', () => {
  test.beforeEach(({ page }) => keepAmidInterval(page));

  test('Markets says so once, and marks rates and APR with the reason', async ({ page }) => {
    await stopLatest(page, () => true);
    await page.goto('/?type=perpetual');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. All \\d+ perpetuals: ${OVERDUE_RATE.source}$`, 'i'));
    await expect(page.locator('[aria-live=assertive]')).toContainText('Overdue. All');
    const rate = marketCell(page, 'PBTCUCZ50', 'funding');
    await expect(rate).toHaveAttribute('data-tone', 'old');
    await expect(marketCell(page, 'PBTCUCZ50', 'apr')).toHaveAttribute('data-tone', 'old');
    await marketCell(page, 'PBTCUCZ50', 'apr').click();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog')).toContainText(OVERDUE_RATE);
    await takeShot(page, 'markets-overdue');
  });

  test('the comparison ends its windows now, and counts and lists what is missing', async ({ page }) => {
    await stopFunding(page, () => true);
    await page.goto('/funding?window=7d');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. All \\d+ perpetuals: ${OVERDUE_RATE.source}$`, 'i'));
    await expect(cellOf(page, 'BTCUC', 'coverage')).toHaveText('12 of 21');
    await expect(cellOf(page, 'BTCUC', 'gaps')).toHaveText('9');
    await expect(cellOf(page, 'BTCUC', 'rate-24h')).toHaveText('–');
    await expect(cellOf(page, 'BTCUC', 'settled')).toHaveAttribute('data-tone', 'old');
    await expect(page.getByText('No data faults')).toHaveCount(0);
    await page.getByText(/faults in the exchange’s funding history/).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'BTCUC: 9 intervals missing' })).toBeVisible();
    await expect(page.getByTestId('heat-readout')).toContainText('missing: the exchange reports no settled rate');
    await takeShot(page, 'funding-overdue', { fullPage: true });
  });

  test('one perpetual lists its gap, also in the chart, the windows and the carry', async ({ page }) => {
    await stopFunding(page, () => true);
    await page.goto('/funding/BTCUC');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. ${OVERDUE_RATE.source}$`, 'i'));
    await expect(page.getByTestId('last-settled')).toHaveAttribute('data-old');
    await expect(page.getByRole('row', { name: /^7 d/ })).toContainText('12 of 21');
    await expect(page.getByRole('row', { name: /^24 h/ })).toContainText('0 of 3');
    await expect(page.getByRole('table', { name: 'Gaps and faults' })).toContainText('9 intervals without a settled rate.');
    await expect(page.getByText('9 intervals without a valid settled rate: hatched, not filled in.')).toBeVisible();
    await expect(page.getByTestId('carry-sum')).toContainText('81 of 90');
    await expect(page.getByTestId('carry-sum')).toContainText('9 missing (not filled in)');
    await expect(page.getByText(/No intervals missing|No gaps or faults/)).toHaveCount(0);
    await takeShot(page, 'funding-one-overdue', { fullPage: true });
  });
});

test.describe('where one perpetual has stopped', () => {
  test.beforeEach(({ page }) => keepAmidInterval(page));

  test('the comparison names it, and it alone', async ({ page }) => {
    await stopFunding(page, (symbol) => symbol === 'BTCUC');
    await page.goto('/funding?window=7d');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. BTCUC: ${OVERDUE_RATE.source}$`, 'i'));
    await expect(cellOf(page, 'BTCUC', 'coverage')).toHaveText('12 of 21');
    await expect(cellOf(page, 'ETHUI', 'coverage')).toHaveText('21 of 21');
    await expect(cellOf(page, 'ETHUI', 'settled')).not.toHaveAttribute('data-tone', 'old');
  });

  test('its own screen, Markets and Price say so', async ({ page, request }) => {
    const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly symbol: string; readonly product_id: number }[] };
    const id = products.find(({ symbol }) => symbol === 'PBTCUCZ50')?.product_id;
    await stopLatest(page, (productId) => productId === id);
    await stopFunding(page, (symbol) => symbol === 'BTCUC');
    await page.goto('/?type=perpetual');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. PBTCUCZ50: ${OVERDUE_RATE.source}$`, 'i'));
    await expect(marketCell(page, 'PETHUIZ50', 'funding')).not.toHaveAttribute('data-tone', 'old');
    await page.goto('/funding/BTCUC');
    await expect(page.getByRole('row', { name: /^7 d/ })).toContainText('12 of 21');
    await page.goto('/price/PBTCUCZ50');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. ${OVERDUE_RATE.source}$`, 'i'));
  });
});

test.describe('where trading data is two weeks old', () => {
  test('Markets marks last prices and shows their dates', async ({ page }) => {
    await ageTradingData(page);
    await page.goto('/?q=PBTCUCZ50');
    await expect(notice(page).filter({ hasText: /and \d+ more|All \d+ products/ })).toContainText(OVERDUE_SETTLEMENT);
    await expect(marketCell(page, 'PBTCUCZ50', 'last')).toHaveAttribute('data-tone', 'old');
    await expect(marketCell(page, 'PBTCUCZ50', 'lastDate')).toHaveText(/^\d+ \w{3} \d{4}$/);
    await marketCell(page, 'PBTCUCZ50', 'last').click();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog')).toContainText(OVERDUE_SETTLEMENT);
    await takeShot(page, 'markets-overdue-trading');
  });

  test('Price says so and shows the time of the last price', async ({ page }) => {
    await ageTradingData(page);
    await page.goto('/price/PBTCUCZ50');
    await expect(notice(page)).toHaveText(new RegExp(`^Overdue\\. ${OVERDUE_SETTLEMENT.source}$`, 'i'));
    const last = page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('[data-old]').first();
    await expect(last).toContainText(/Last USD.*\d{4}-\d\d-\d\d \d\d:\d\d:00 UTC/);
    await takeShot(page, 'price-overdue');
  });
});

test('prices and open interest that ended two weeks ago are overdue on Price and Volume, each said once', async ({ page }) => {
  const since = new Date(Date.now() - 14 * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await page.route(/\/api\/web\/charts\/(price|voi)/, async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly { readonly date: string }[];
    await route.fulfill({ response, json: rows.filter(({ date }) => date < since) });
  });
  await page.goto('/price/PBTCUCZ50');
  const header = page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
  const chart = page.getByRole('region', { name: 'PBTCUCZ50, prices' });
  await expect(chart.getByRole('application')).toBeVisible();
  await expect(notice(page)).toHaveText([OVERDUE_SETTLEMENT, /The newest open interest is from/]);
  await expect(header.locator('[data-old]').filter({ hasText: /^Settlement USD/ })).toBeVisible();
  await page.goto('/volume?product=PBTCUCZ50');
  await expect(notice(page)).toHaveText(/^Overdue\. The newest open interest is from .*; that of .* is missing\.$/);
  const from = new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  await page.goto(`/volume?product=PBTCUCZ50&from=${from}&to=${since}`);
  await expect(page.getByRole('application')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test('nothing is overdue while the exchange publishes on time', async ({ page }) => {
  for (const path of ['/', '/funding', '/funding/BTCUC', '/price/PBTCUCZ50', '/volume?product=PBTCUCZ50']) {
    await page.goto(path);
    await expect(page.getByText(/ old/).first()).toBeVisible();
    await expect(page.getByText(/Exchange \d\d:\d\d:\d\d UTC/)).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
  }
});
