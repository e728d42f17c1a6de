import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { type Product, readProducts } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { setVenueAhead } from './venue-clock.ts';
import { test, withoutStream } from './watched-page.ts';
import { writeDay } from './write-day.ts';

test.use({ live: false });

const STARTING = 15_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const chicago = new Intl.DateTimeFormat('sv', { timeZone: 'America/Chicago', year: 'numeric', month: '2-digit', day: '2-digit' });

/** High enough for all rows: the list draws only those in sight. */
test.use({ viewport: { width: 1280, height: 4_400 } });

async function readActive(page: Page): Promise<readonly Product[]> {
  return (await readProducts(page)).filter(({ product_status: status }) => status === 'active');
}

/** The next of a type to expire. */
function firstToExpire(products: readonly Product[], type: string): Product & { readonly final_settle_time: string } {
  const [first] = products
    .flatMap((product) => (product.type === type && product.final_settle_time !== undefined ? [{ ...product, final_settle_time: product.final_settle_time }] : []))
    .toSorted((a, b) => Date.parse(a.final_settle_time) - Date.parse(b.final_settle_time));
  if (first === undefined) throw new Error(`The exchange lists no ${type} that expires.`);
  return first;
}

function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / DAY_MS);
}

/** As the column shows it: under three days in hours. */
function timeBetween(from: number, to: number): string {
  return to - from < 3 * DAY_MS ? `${String(Math.floor((to - from) / HOUR_MS))} h` : String(daysBetween(from, to));
}

/** Makes it noon in Chicago, some days before a product expires at 16:00, by the exchange's clock. Returns that time. */
async function setNoonBefore(page: Page, { final_settle_time: at }: { readonly final_settle_time: string }, days: number): Promise<number> {
  const noon = Date.parse(at) - days * DAY_MS - 4 * HOUR_MS;
  await setVenueAhead(page, noon - Date.now());
  return noon;
}

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' });
}

function rowsOf(page: Page): Locator {
  return grid(page).locator('[role=row]:has([role=gridcell])');
}

function rowOf(page: Page, symbol: string): Locator {
  return grid(page).getByRole('row').filter({ has: page.locator('[data-column="symbol"] a', { hasText: new RegExp(`^${symbol}$`) }) });
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(rowsOf(page).first()).toBeVisible({ timeout: STARTING });
  await expect(grid(page).getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

function textsOf(page: Page, column: string): Promise<readonly string[]> {
  return rowsOf(page).locator(`[data-column="${column}"]`).allInnerTexts();
}

test('Markets shows the time to expiry of every product, in hours under three days, and none of a perpetual', async ({ page }) => {
  const active = await readActive(page);
  const noon = await setNoonBefore(page, firstToExpire(active, 'future'), 2);
  await open(page, '/');
  await expect(grid(page).locator('[role=columnheader][data-column="daysLeft"]')).toBeInViewport({ ratio: 1 });
  const expected = active.map(({ symbol, type, final_settle_time: at }) => [symbol, type === 'perpetual' || at === undefined ? '–' : timeBetween(noon, Date.parse(at))]);
  expect(expected).toContainEqual([expect.anything(), '52 h']);
  const shown = (): Promise<readonly (readonly [string, string])[]> => rowsOf(page).evaluateAll((rows) => rows.map((row) => [row.querySelector('[data-column="symbol"]')?.textContent ?? '', row.querySelector('[data-column="daysLeft"]')?.textContent ?? '']));
  await expect.poll(async () => Object.fromEntries(await shown())).toEqual(Object.fromEntries(expected));
});

test('the time is counted by the exchange’s clock until the instant of the final settlement', async ({ page }) => {
  const future = firstToExpire(await readActive(page), 'future');
  const settles = Date.parse(future.final_settle_time);
  // Each a while before its text changes, so that it does not while the page loads.
  for (const [before, text] of [[40.5 * HOUR_MS, '40 h'], [3.1 * DAY_MS, '3'], [2.99 * DAY_MS, '71 h'], [1.5 * HOUR_MS, '1 h']] as const) {
    await setVenueAhead(page, settles - before - Date.now());
    await open(page, `/?q=${future.symbol}&type=future`);
    await expect(rowOf(page, future.symbol).locator('[data-column="daysLeft"]')).toHaveText(text);
  }
});

test('the time to expiry is the same in the list, on Price and in its specification, whatever the reader’s zone', async ({ browser, page, baseURL }) => {
  const future = firstToExpire(await readActive(page), 'future');
  const settles = Date.parse(future.final_settle_time);
  const time = `${writeDay(settles, { year: 'numeric', timeZone: 'UTC' })}, ${future.final_settle_time.slice(11, 16)} UTC`;
  for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
    const context = await browser.newContext({ timezoneId, ...(baseURL !== undefined && { baseURL }) });
    await withoutStream(context);
    const other = await context.newPage();
    await setVenueAhead(other, settles - 30.5 * HOUR_MS - Date.now());
    await open(other, `/?q=${future.symbol}&type=future`);
    await expect(rowOf(other, future.symbol).locator('[data-column="daysLeft"]')).toHaveText('30 h');
    await other.goto(`/price/${future.symbol}?spec=open`);
    await expect(other.getByRole('region', { name: `${future.symbol} current figures` })).toContainText(`expires tomorrow, ${time}, in 30 h`);
    await expect(other.locator('dl > div').filter({ hasText: 'Days to expiry' }).getByRole('button', { name: '30 h' })).toBeVisible();
    await context.close();
  }
});

test('the days are sorted with perpetuals last, both ways', async ({ page }) => {
  for (const [sort, direction] of [['daysLeft', 1], ['-daysLeft', -1]] as const) {
    await open(page, `/?sort=${sort}`);
    const days = (await textsOf(page, 'daysLeft')).map((text) => (text === 'past' ? -1 : text.endsWith(' h') ? Number.parseInt(text) / 24 : text.endsWith(' min') ? 0 : Number(text)));
    const known = days.filter((day) => !Number.isNaN(day));
    expect(known.length).toBeGreaterThan(0);
    expect(known.length).toBeLessThan(days.length);
    expect(days.slice(0, known.length)).toEqual(known.toSorted((a, b) => direction * (a - b)));
  }
});

test('a perpetual says why it has no days, and a dated contract where its days come from', async ({ page }) => {
  const future = firstToExpire(await readActive(page), 'future');
  for (const [address, title, text] of [['/?q=PBTCUCZ50', 'PBTCUCZ50 days to expiry: –', 'A perpetual does not expire.'], [`/?q=${future.symbol}&type=future`, new RegExp(`^${future.symbol} days to expiry: `), 'final_settle_time']] as const) {
    await open(page, address);
    await rowsOf(page).first().locator('[data-column="daysLeft"]').click();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog', { name: title })).toContainText(text);
  }
});

test('the terms can be chosen as columns, and match the exchange’s specification', async ({ page }) => {
  const products = await readProducts(page);
  const option = firstToExpire(await readActive(page), 'option');
  const underlying = products.find(({ product_id: id }) => id === option.underlying_product);
  await open(page, `/?q=${option.symbol}&type=option`);
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['Expiry, date', 'Strike', 'Call / put', 'Underlying product', 'Contract size', 'Tick size', 'Trading hours', 'First trading day']) await page.getByRole('dialog').getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
  const cell = (column: string): Locator => rowOf(page, option.symbol).locator(`[data-column="${column}"]`);
  const strike = (option.strike_price ?? Number.NaN) * (underlying?.price_increment ?? Number.NaN);
  await expect(cell('strike')).toHaveText(strike.toLocaleString('en'));
  await expect(cell('right')).toHaveText(option.option_type ?? '');
  await expect(cell('underlyingProduct').getByRole('link', { name: underlying?.symbol ?? '' })).toHaveAttribute('href', `/price/${String(option.underlying_product)}`);
  await expect(cell('expiry')).toHaveText(writeDay(option.final_settle_time, { year: 'numeric', timeZone: 'America/Chicago' }));
  await expect(cell('hours')).toHaveText('19:00–16:00');
  await page.reload();
  await expect(cell('strike')).toHaveText(strike.toLocaleString('en'));
});

test('a spread has its legs, and a product of another type says why it has none', async ({ page }) => {
  const products = await readProducts(page);
  const spread = firstToExpire(await readActive(page), 'spread');
  await page.addInitScript(() => {
    localStorage.setItem('perpdesk.markets.layout', JSON.stringify({ version: 1, order: ['favourite', 'symbol', 'legs', 'underlying'], hidden: [], widths: {}, pinned: { start: ['favourite', 'symbol'], end: [] } }));
  });
  await open(page, '/?sort=symbol');
  const legs = (spread.legs ?? []).map(({ product_id: id, weight }) => `${weight > 0 ? '+' : '−'}${String(Math.abs(weight))} ${products.find((product) => product.product_id === id)?.symbol ?? ''}`);
  await expect(rowOf(page, spread.symbol).locator('[data-column="legs"]')).toHaveText(legs.join(', '));
  await expect(rowOf(page, 'PBTCUCZ50').locator('[data-column="legs"]')).toHaveText('–');
});

test('what expires within a week is marked, by shape and in words', async ({ page }) => {
  const active = await readActive(page);
  const future = firstToExpire(active, 'future');
  await setNoonBefore(page, future, 7);
  await open(page, `/?q=${future.symbol.slice(0, 3)}&type=future&sort=daysLeft`);
  const marked = async (): Promise<readonly string[]> => rowsOf(page).locator('[data-column="symbol"]').evaluateAll((cells) => cells.filter((cell) => getComputedStyle(cell, '::after').content.includes('expires within a week')).map((cell) => cell.textContent));
  await expect.poll(marked).toEqual(active.filter(({ type, symbol, final_settle_time: at }) => type === 'future' && symbol.startsWith(future.symbol.slice(0, 3)) && at === future.final_settle_time).map(({ symbol }) => symbol));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(future.symbol);
  await expect(page.getByRole('option').first()).toContainText('expires in 7 days');
  await page.goto(`/price/${future.symbol}`);
  await expect(page.getByRole('region', { name: `${future.symbol} current figures` })).toContainText(/expires \d+ \w+ \d+, \d\d:\d\d UTC, in 7 days/);
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).fill(future.symbol);
  await expect(page.getByRole('option').first()).toContainText('expires in 7 days');
});

test('a day more than a week before, nothing is marked', async ({ page }) => {
  const future = firstToExpire(await readActive(page), 'future');
  await setNoonBefore(page, future, 8);
  await open(page, `/?q=${future.symbol}&type=future`);
  await expect(rowOf(page, future.symbol).locator('[data-column="daysLeft"]')).toHaveText('8');
  await expect(rowOf(page, future.symbol).locator('[data-column="symbol"]')).not.toHaveAttribute('data-tone');
});

test('filters of expiry and of calls and puts are part of the address, and a button removes them', async ({ page, context }) => {
  const active = await readActive(page);
  const option = firstToExpire(active, 'option');
  const noon = await setNoonBefore(page, option, 20);
  await open(page, '/?type=option');
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filter by expiry, call or put' });
  await dialog.getByRole('radio', { name: 'Within 30 days' }).check();
  await dialog.getByRole('radio', { name: 'Calls' }).check();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/?type=option&expires=30d&right=call');
  const within = (days: number, right: string): readonly string[] => active.filter(({ type, option_type: is, final_settle_time: at = '' }) => type === 'option' && is === right && daysBetween(noon, Date.parse(at)) <= days).map(({ symbol }) => symbol).toSorted();
  await expect.poll(async () => (await textsOf(page, 'symbol')).toSorted()).toEqual(within(30, 'call'));
  const other = await context.newPage();
  await setNoonBefore(other, option, 20);
  await open(other, page.url());
  await expect.poll(async () => (await textsOf(other, 'symbol')).toSorted()).toEqual(within(30, 'call'));
  await page.getByRole('button', { name: 'expires within 30 days, calls, remove filter' }).click();
  await expect(page).toHaveURL('/?type=option');
  await expect(page.getByRole('button', { name: 'Expiry, call / put' })).toBeFocused();
  // Its route must not outlive the test.
  await other.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a range of expiries is chosen by its days; one that ends before it starts says so and matches nothing', async ({ page }) => {
  const future = firstToExpire(await readActive(page), 'future');
  const day = chicago.format(Date.parse(future.final_settle_time));
  await open(page, '/?type=future');
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('To', { exact: true }).fill(day);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`/?type=future&expires=..${day}`);
  await expect.poll(async () => (await textsOf(page, 'symbol')).includes(future.symbol)).toBe(true);
  await expect(page.getByRole('button', { name: /^expires by .*remove filter$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  await dialog.getByLabel('From', { exact: true }).fill(chicago.format(Date.parse(future.final_settle_time) + DAY_MS));
  await expect(dialog.getByText('The end is before the start, so nothing matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page).toHaveURL('/');
});

test('the filter of Markets marks what it matches, and scrolls and opens as before', async ({ page }) => {
  // Wide enough for the column of the underlying.
  await page.setViewportSize({ width: 1_720, height: page.viewportSize()?.height ?? 0 });
  await open(page, '/?sort=symbol');
  await page.getByRole('searchbox').fill('btc');
  const marks = rowsOf(page).locator('mark');
  await expect(rowOf(page, 'PBTCUCZ50').locator('[data-column="symbol"] mark')).toHaveText('BTC');
  await expect(rowOf(page, 'PBTCUCZ50').locator('[data-column="underlying"] mark')).toHaveText('BTC');
  await page.getByRole('searchbox').fill('busz');
  await expect(marks.first()).toHaveText('BUSZ');
  await page.getByRole('searchbox').fill('');
  await expect(marks).toHaveCount(0);
  await rowOf(page, 'PBTCUCZ50').getByRole('link', { name: 'PBTCUCZ50', exact: true }).click();
  await expect(page).toHaveURL(/\/price\/\d+$/);
});

test('the CSV has the terms after all other columns', async ({ page }) => {
  const option = firstToExpire(await readActive(page), 'option');
  await open(page, `/?q=${option.symbol}&type=option`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const [heading = '', line = ''] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n');
  expect(heading).toMatch(/,overdue,final_settlement_at,days_to_expiry,first_trading_day,call_or_put,strike_usd,underlying_product,legs,contract_size,tick_size_usd,opens_chicago,settles_chicago,strike_ticks_wire,terms_withheld,hours_to_expiry,change_percent$/);
  expect(line).toContain(`,${option.final_settle_time},`);
  expect(line).toContain(`,${String(option.strike_price)},`);
});

test('filters and marks keep to the page in every look, and axe finds no violation', async ({ page }) => {
  const sizes = [[360, 900], [1280, 900]] as const;
  await page.setViewportSize({ width: 360, height: 900 });
  const future = firstToExpire(await readActive(page), 'future');
  await setNoonBefore(page, future, 3);
  await open(page, `/?q=${future.symbol.slice(0, 3)}&expires=30d`);
  await inEachLook(page, sizes, async (look) => {
    await expect(rowsOf(page).locator('mark').first()).toBeVisible();
    await takeShot(page, `markets-terms-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await expectAccessible(page, look);
  });
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog').getByRole('radio', { name: 'Within 30 days' })).toBeChecked();
    await takeShot(page, `markets-terms-filter-${look.colorScheme}-${String(look.width)}`);
    await expectAccessible(page, look);
  });
});
