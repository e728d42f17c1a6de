import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectPriceRead, holdRunningSession } from './price-page.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

interface Row {
  readonly date: string;
  readonly ohlc: Readonly<Record<'open' | 'high' | 'low' | 'close', string>>;
  readonly settlementPrice: string;
}

/** Halves the low of one session in the middle of the range; returns its date once the chart has been read. */
async function printBadTick(page: Page, factor = 0.5): Promise<() => string> {
  let date = '';
  await page.route('**/api/web/charts/price/**', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly Row[];
    const at = rows.length - 12;
    date = rows[at]?.date ?? '';
    await route.fulfill({ response, json: rows.map((row, index) => (index === at ? { ...row, ohlc: { ...row.ohlc, low: (Number(row.settlementPrice) * factor).toFixed(4) } } : row)) });
  });
  return () => date;
}

const chart = (page: Page): Locator => page.getByRole('application', { name: /PBTCUCZ50/ });
const note = (page: Page): Locator => page.getByRole('note').filter({ hasText: 'suspected bad tick' });
const scaleSwitch = (page: Page): Locator => page.getByRole('checkbox', { name: 'Include in scale' });

/** A picture of the chart at rest. */
async function drawnBy(page: Page): Promise<string> {
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return (await chart(page).screenshot()).toString('base64');
}

test('a bad tick is named, and within the scale only on request, which the address keeps', async ({ page, context }) => {
  await printBadTick(page);
  await holdRunningSession(page);
  await page.goto('/price/PBTCUCZ50?range=3M');
  await expect(note(page)).toHaveText(/^✕ 1 suspected bad tick: low [\d,]+\.\d+ on \d+ \w+ \d{4}\. Include in scale A bad tick is more than 20 % and more than 8 typical daily ranges beyond the settlements/);
  await expectPriceRead(page);
  const offscale = await drawnBy(page);
  await scaleSwitch(page).press('Space');
  await expect(page).toHaveURL(/badticks=inscale/);
  await expect.poll(() => drawnBy(page)).not.toBe(offscale);
  const other = await context.newPage();
  await printBadTick(other);
  await other.goto(page.url());
  await expect(scaleSwitch(other)).toBeChecked();
  await scaleSwitch(page).uncheck();
  await expect(page).not.toHaveURL(/badticks/);
  await expect.poll(() => drawnBy(page)).toBe(offscale);
});

test('table, provenance and files mark it', async ({ page }) => {
  const dateOf = await printBadTick(page);
  await page.goto('/price/PBTCUCZ50?range=3M&view=table');
  await expect(page.getByRole('cell', { name: /^[\d,.]+ \(bad tick\)$/ })).toHaveCount(1);
  for (const [button, columns] of [['CSV', /,voi_from,change_fraction,bad_ticks,change_usd,change_percent$/], ['CSV, figures only', /,symbol,change_fraction,bad_ticks,change_usd,change_percent$/]] as const) {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    const [heading = '', ...lines] = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(heading).toMatch(columns);
    expect(lines.filter((line) => line.split(',').at(-3) === 'low').map((line) => line.slice(0, 10))).toEqual([dateOf()]);
    expect(lines.join()).not.toMatch(/\d\.\d{11}/);
  }
});

for (const bars of ['1W', '1M']) {
  test(`bars of ${bars} mark it too`, async ({ page }) => {
    await printBadTick(page);
    await page.goto(`/price/PBTCUCZ50?range=3M&bars=${bars}&view=table`);
    await expect(page.getByRole('cell', { name: /\(bad tick\)$/ })).toHaveCount(1);
    await expect(note(page)).toContainText('1 suspected bad tick: low');
  });
}

test('a low of 15 % below is none', async ({ page }) => {
  await printBadTick(page, 0.85);
  await page.goto('/price/PBTCUCZ50?range=3M');
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await expect(page.getByText('Daily bars, as published', { exact: true })).toBeVisible();
  await expect(note(page)).toHaveCount(0);
});

test('no perpetual of the embedded exchange has any in two years', async ({ request }) => {
  test.slow();
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly product_id: number; readonly type: string; readonly symbol: string }[] };
  const far: string[] = [];
  for (const { product_id: id, symbol } of products.filter(({ type }) => type === 'perpetual')) {
    const rows = (await (await request.get(`/api/web/charts/price/${String(id)}?begin_time=2001-01-01T00:00:00Z`)).json()) as readonly Row[];
    for (const { date, ohlc: { open, high, low, close }, settlementPrice } of rows) if ([open, high, low, close].some((price) => Math.abs(Number(price) / Number(settlementPrice) - 1) > 0.4)) far.push(`${symbol} ${date}`);
  }
  expect(far).toEqual([]);
});
