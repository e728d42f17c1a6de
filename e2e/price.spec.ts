import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectPriceRead, holdRunningSession } from './price-page.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });
function chartOf(page: Page) {
  return page.getByRole('application', { name: /PBTCUCZ50/ });
}

async function openPrice(page: Page, query = ''): Promise<void> {
  await page.goto(`/price/PBTCUCZ50${query}`);
  await expect(chartOf(page).locator('canvas').first()).toBeVisible();
}

/** The date in the legend: of the bar under the pointer, otherwise of the last bar. */
function sessionShown(page: Page) {
  return page.getByTestId('legend').locator('dd').first();
}

test('the header figures are current whatever the range: only a range that ends in the past costs another read', async ({ page }) => {
  const read = new Set<string>();
  page.on('request', (request) => {
    if (request.url().includes('/charts/price/')) read.add(new URL(request.url()).search);
  });
  const settlement = page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dl > div').filter({ has: page.getByText(/^Settlement USD/) });
  await openPrice(page);
  await expectPriceRead(page);
  const settled = await settlement.innerText();
  expect(read.size).toBe(1);
  await openPrice(page, `?from=${dayBefore(60)}&to=${dayBefore(40)}`);
  await expect(settlement).toHaveText(settled, { useInnerText: true });
  expect([...read].filter((query) => query.includes('end_time'))).toHaveLength(1);
  expect(read.size).toBe(2);
});

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

test('a product has its candles, its current figures and their provenance', async ({ page }) => {
  await openPrice(page);
  await expect(page.getByRole('heading', { name: 'PBTCUCZ50', exact: true })).toBeVisible();
  for (const name of ['Open', 'High', 'Low', 'Close', 'Settlement', 'Volume', 'Open interest']) {
    await expect(page.getByTestId('legend').getByText(name, { exact: true })).toBeVisible();
  }
  await expect(page.getByText(/\d+ s old · refreshes every 1 min/)).toBeVisible();
  const now = page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dl > div');
  await expect(now.first()).toContainText('Last USD');
  const settlement = now.filter({ hasText: /^Settlement USD/ }).getByRole('button');
  await settlement.focus();
  await page.keyboard.press('i');
  const tooltip = page.getByRole('dialog');
  await expect(tooltip).toContainText('settlementPrice');
  await expect(tooltip).toContainText(/\/api\/web\/charts\/price\/\d+\?begin_time=/);
  await page.keyboard.press('Escape');
  await expect(settlement).toBeFocused();
});

test('a link shows the same chart', async ({ page, context }) => {
  await openPrice(page);
  for (const name of ['3M', '1W', 'Log']) await page.getByRole('radio', { name, exact: true }).check();
  await page.getByLabel('Show sessions without trades').check();
  await expect(page).toHaveURL(/\/price\/PBTCUCZ50\?range=3M&bars=1W&scale=log&gaps=flat$/);
  const other = await context.newPage();
  await other.goto(page.url());
  for (const name of ['3M', '1W', 'Log']) await expect(other.getByRole('radio', { name, exact: true })).toBeChecked();
  await expect(other.getByLabel('Show sessions without trades')).toBeChecked();
  await expect(other.getByText('Weekly bars (Mon–Sun), built from daily sessions', { exact: true })).toBeVisible();
});

test('a custom range is from date to date', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?view=table');
  const dates = page.getByRole('table', { name: /PBTCUCZ50/ }).locator('tbody tr td:first-child');
  await expect(dates.first()).toBeVisible();
  const all = await dates.allInnerTexts();
  const [newest = '', oldest = ''] = [all[2], all[5]].map((text) => new Date(`${text ?? ''} UTC`).toISOString().slice(0, 10));
  await page.getByRole('radio', { name: 'Custom' }).check();
  await page.getByLabel('From', { exact: true }).fill(oldest);
  await page.getByLabel('To', { exact: true }).fill(newest);
  const apply = page.getByRole('button', { name: 'Apply', exact: true });
  await apply.press('Enter');
  await expect(page).toHaveURL(new RegExp(`from=${oldest}&to=${newest}`));
  await expect(dates).toHaveText(all.slice(2, 6));
  await expect(apply).toBeFocused();
});

test('a custom range starts with the dates on screen, and changes nothing until it is applied', async ({ page }) => {
  await page.clock.install({ time: '2026-07-01T12:00:00Z' });
  await page.goto('/price/PBTCUCZ50?range=3M');
  await page.getByRole('radio', { name: 'Custom' }).check();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-04-01');
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-07-01');
  await expect(page).toHaveURL(/range=3M$/);
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page).toHaveURL(/from=2026-04-01&to=2026-07-01$/);
  await page.getByRole('radio', { name: '3M', exact: true }).check();
  await expect(page.getByLabel('From', { exact: true })).toHaveCount(0);
});

test('a custom range that cannot be applied says why', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?from=2026-06-01&to=2026-07-01');
  const [from, to, apply] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true }), page.getByRole('button', { name: 'Apply', exact: true })];
  const announced = (sentence: string) => page.locator('[aria-live=polite]').filter({ hasText: sentence });
  await from.fill('');
  await expect(announced('Choose a start date.')).toHaveCount(1);
  await expect(page.getByText('The end is before the start.')).toHaveCount(0);
  await expect(to).toHaveAttribute('aria-invalid', 'false');
  await expect(apply).toBeDisabled();
  await from.fill('2026-08-01');
  await expect(announced('The end is before the start.')).toHaveCount(1);
  await from.fill('2026-06-02');
  await expect(apply).toBeEnabled();
});

test('a session that begins while the screen is open can be chosen', async ({ page }) => {
  await page.clock.install({ time: '2026-07-01T20:59:30Z' });
  await page.goto('/price/PBTCUCZ50?from=2026-06-01');
  await page.getByLabel('To', { exact: true }).fill('2026-07-02');
  await expect(page.locator('form').getByText('The newest session is 2026-07-01.')).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeEnabled();
});

test('without a product in the address the screen shows the one viewed last', async ({ page }) => {
  await page.goto('/price');
  const usual = page.getByRole('heading', { level: 2 }).first();
  await expect(usual).toHaveText(/^P/);
  const first = await usual.innerText();
  await page.goto('/price/PETHUIZ50');
  await expect(page.getByRole('heading', { name: 'PETHUIZ50', exact: true })).toBeVisible();
  expect(first).not.toBe('PETHUIZ50');
  await page.getByRole('navigation').getByRole('link', { name: 'Price' }).click();
  // In the address, so that a link shows others the same.
  await expect(page).toHaveURL(/\/price\/PETHUIZ50$/);
  await expect(page.getByRole('heading', { name: 'PETHUIZ50', exact: true })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page.getByRole('heading', { name: /^PETHUIZ50, volume/ })).toBeVisible();
  await expect(page).toHaveURL(/\/volume\?product=PETHUIZ50$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/price\/PETHUIZ50$/);
});

test('by the keyboard alone: bar by bar, by pages, to the ends, logarithmic, another product', async ({ page }) => {
  await openPrice(page, '?range=All');
  // The running session becomes the last bar when it has been read.
  await expectPriceRead(page);
  const last = await sessionShown(page).innerText();
  await chartOf(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(sessionShown(page)).toHaveText(last);
  await page.keyboard.press('ArrowLeft');
  await expect(sessionShown(page)).not.toHaveText(last);
  const before = await sessionShown(page).innerText();
  await page.keyboard.press('Control+ArrowUp');
  // A page is as wide as the view, which follows the key with the next frame.
  await expect(page).toHaveURL(/zoom=/);
  await page.keyboard.press('Control+ArrowLeft');
  await expect(sessionShown(page)).not.toHaveText(before);
  const paged = await sessionShown(page).innerText();
  await page.keyboard.press('Home');
  await expect(sessionShown(page)).not.toHaveText(paged);
  const first = await sessionShown(page).innerText();
  await page.keyboard.press('ArrowLeft');
  await expect(sessionShown(page)).toHaveText(first);
  await page.keyboard.press('Alt+r');
  await expect(sessionShown(page)).toHaveText(last);
  await page.keyboard.press('Alt+l');
  await expect(page).toHaveURL(/scale=log/);
  // Closed lists have no elements: they would be most of the screen's.
  await expect(page.locator('[role=option]')).toHaveCount(0);
  await page.keyboard.type('PETHU');
  await expect(page.getByRole('option', { name: /PETHUIZ50/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'PETHUIZ50', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/price\/\d+\?range=All&scale=log/);
  await expect(page.getByRole('button', { name: 'Product: PETHUIZ50' })).toBeFocused();
});

/** Has prices for two sessions out of three and, once released, this volume for every session. */
async function openIlliquid(page: Page, volume: number | null): Promise<{ readonly release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/api/web/charts/price/**', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly unknown[];
    await route.fulfill({ response, json: rows.filter((_, index) => index % 3 !== 1) });
  });
  await page.route('**/api/web/charts/voi*', async (route) => {
    await promise;
    const response = await route.fetch();
    const rows = (await response.json()) as readonly object[];
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, volume })) });
  });
  await openPrice(page);
  await expect(page.getByText('Sessions without trades unknown: volume not loaded.')).toBeVisible();
  return {
    release: () => {
      resolve(undefined);
    },
  };
}

test('sessions without trades that load later are added, and the whole range stays in view', async ({ page }) => {
  await holdRunningSession(page);
  const { release } = await openIlliquid(page, null);
  release();
  await expect(page.getByText(/^\d+ sessions without trades\.$/)).toBeVisible();
  await expectPriceRead(page);
  const seen = await drawnBy(page);
  await page.keyboard.press('Alt+r');
  expect(await drawnBy(page)).toBe(seen);
});

test('sessions that traded at unknown prices are distinct from those without trades', async ({ page }) => {
  const { release } = await openIlliquid(page, 27);
  release();
  await expect(page.getByText(/^No sessions without trades\. \d+ sessions with trades at unknown prices\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(page.getByRole('cell', { name: /, traded, price unknown$/ }).first()).toBeVisible();
});

test('the cursor stays on its session when others are added before it', async ({ page }) => {
  const { release } = await openIlliquid(page, null);
  await chartOf(page).focus();
  await page.keyboard.press('End');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowLeft');
  const session = await sessionShown(page).innerText();
  release();
  await expect(page.getByText(/^\d+ sessions without trades\.$/)).toBeVisible();
  await expect(sessionShown(page)).toHaveText(session);
});

/** A picture of the chart at rest. */
async function drawnBy(page: Page): Promise<string> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return (await chartOf(page).screenshot()).toString('base64');
}

test('two products are rebased to 100 on their first common session', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50&view=table');
  const rows = page.getByRole('table', { name: /PBTCUCZ50 and PETHUIZ50/ }).locator('tbody tr');
  await expect(rows.last().locator('td').nth(1)).toHaveText('100.00');
  await expect(rows.last().locator('td').nth(3)).toHaveText('100.00');
  await page.getByRole('button', { name: 'Remove comparison' }).press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Open USD' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare with' })).toBeFocused();
});

test('the percent scale starts at the first settlement, and for two products at the common base', async ({ page }) => {
  await openPrice(page, '?scale=percent');
  await expect(page.getByText(/^Percent change from the settlement of \d+ \w+ \d{4}\.$/)).toBeVisible();
  const drawn = await drawnBy(page);
  await page.getByRole('radio', { name: 'Linear', exact: true }).check();
  await expect.poll(() => drawnBy(page)).not.toBe(drawn);
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect(chartOf(page).locator('canvas').first()).toBeVisible();
  const indexed = await drawnBy(page);
  await page.getByRole('radio', { name: '%', exact: true }).check();
  await expect.poll(() => drawnBy(page)).not.toBe(indexed);
});

test('a comparison offers only the choices that apply to it', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50&bars=1W');
  const bars = page.getByRole('group', { name: 'Bars' });
  const gaps = page.getByLabel('Show sessions without trades');
  await expect(page.getByRole('application', { name: /PBTCUCZ50 and PETHUIZ50/ })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Log', exact: true })).toBeVisible();
  await expect(bars.or(gaps)).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove comparison' }).click();
  await expect(bars.getByRole('radio', { name: '1W', exact: true })).toBeChecked();
  await expect(gaps).toBeVisible();
});

test('an unknown product to compare with is named', async ({ page }) => {
  await openPrice(page, '?vs=NOTHING');
  await expect(page.getByRole('main').getByRole('note')).toHaveText('No comparison. No product “NOTHING”. Choose another product to compare with.');
  await page.getByRole('button', { name: 'Remove comparison' }).click();
  await expect(page.getByRole('main').getByRole('note')).toHaveCount(0);
});

test('the table has the chart’s sessions, and the CSV the table’s', async ({ page }) => {
  await openPrice(page);
  await expectPriceRead(page);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page).toHaveURL(/view=table/);
  const rows = page.getByRole('table', { name: /PBTCUCZ50/ }).locator('tbody tr');
  await expect(rows.nth(20)).toBeVisible();
  const count = await rows.count();
  expect(count).toBeGreaterThan(20);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  const lines = file.split('\r\n').slice(0, -1);
  expect(lines).toHaveLength(count + 1);
  expect(lines[0]).toContain('settlement_usd');
  for (const line of lines.slice(1).filter((text) => !text.includes(',running session,'))) expect(line).toMatch(/,PBTCUCZ50,chartPrice,GET \/api\/web\/charts\/price\/\d+\?/);
});

test('the chart is saved as a PNG', async ({ page }) => {
  await openPrice(page);
  // The name of the exchange is part of the status, which the header shows.
  await expect(page.getByRole('banner')).toContainText(/Exchange \d\d:/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PNG' }).click();
  const saved = await downloading;
  expect(saved.suggestedFilename()).toMatch(/^[\w-]+-PBTCUCZ50-1D-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d-read-\d{8}T\d{6}Z\.png$/);
  expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
});

test('where the tick size check fails, USD from ticks is n/a with the reason; chart prices are shown', async ({ page }) => {
  await page.goto('/price/PSHBUNZ50');
  const now = page.getByRole('region', { name: 'PSHBUNZ50 current figures' });
  await expect(now.getByRole('note')).toContainText('Not available. Last, Chg vs. settle, Index at last funding, Mark at last funding: The published tick size, 0.000002 USD, gives');
  await expect(now.locator('div', { has: page.getByText('Mark at last funding') }).getByRole('button', { name: 'n/a' })).toBeVisible();
  await expect(now.locator('div', { has: page.getByText(/^Settlement USD/) }).last().getByRole('button').first()).toHaveText(/^0\.0000\d+$/);
  await takeShot(page, 'price-withheld-light-1280');
});

test('an unknown symbol is named, and another can be typed', async ({ page }) => {
  await page.goto('/price/NOTHING');
  await expect(page.getByRole('heading', { name: 'No product “NOTHING”' })).toBeVisible();
  await page.keyboard.type('PBTCU');
  await expect(page.getByRole('option', { name: /PBTCUCZ50/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(chartOf(page)).toBeVisible();
});

test('the session follows the product and the time: only perpetuals trade on Saturdays', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly type: string; readonly symbol: string; readonly product_status: string }[] };
  const future = products.find(({ type, product_status: status }) => type === 'future' && status === 'active')?.symbol ?? '';
  await page.clock.install({ time: nextSaturdayNoon() });
  await page.goto('/price/PBTCUCZ50');
  const session = page.getByText(/^session of /);
  const weekday = async (): Promise<string> => new Date(`${(await session.innerText()).replace('session of ', '')} UTC`).toUTCString().slice(0, 3);
  await expect.poll(weekday).toBe('Sat');
  await page.getByRole('button', { name: 'Product: PBTCUCZ50' }).click();
  await page.getByRole('combobox', { name: 'Product' }).fill(future);
  await page.getByRole('option', { name: new RegExp(future) }).first().click();
  await expect(page.getByRole('heading', { name: future, exact: true })).toBeVisible();
  await expect.poll(weekday).toBe('Mon');
  await page.goBack();
  await expect.poll(weekday).toBe('Sat');
  await page.clock.fastForward('24:00:00');
  await expect.poll(weekday).toBe('Sun');
});

/** In UTC: a morning in Chicago. */
function nextSaturdayNoon(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 6 - now.getUTCDay(), 12);
}

test('figures of the legend have their session, field and computation as provenance', async ({ page }) => {
  await openPrice(page, `?from=${dayBefore(60)}&to=${dayBefore(40)}`);
  const legend = page.getByTestId('legend');
  const tooltip = page.getByRole('dialog');
  for (const [name, words] of [['Close', 'ohlc.close'], ['Change', 'Settlement vs. previous settlement.'], ['Open interest', 'openInterest']] as const) {
    await legend.locator('div').filter({ has: page.getByText(name, { exact: true }) }).getByRole('button').press('i');
    await expect(tooltip).toContainText(words);
    await page.keyboard.press('Escape');
    await expect(tooltip).toBeHidden();
  }
  await page.getByRole('radio', { name: '1W', exact: true }).check();
  await expect(legend.getByText('Week of', { exact: true })).toBeVisible();
  await legend.locator('div').filter({ has: page.getByText('High', { exact: true }) }).getByRole('button').press('i');
  await expect(tooltip).toContainText(/Highest of \d sessions\.|ohlc\.high/);
});
