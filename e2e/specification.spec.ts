import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { type Product, readProducts } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';
import { writeDay } from './write-day.ts';

test.use({ live: false });

function firstOf(products: readonly Product[], type: string): Product {
  const found = products.find((product) => product.type === type && product.product_status === 'active');
  if (found === undefined) throw new Error(`The exchange lists no ${type}.`);
  return found;
}

function header(page: Page, symbol: string): Locator {
  return page.getByRole('region', { name: `${symbol} current figures` });
}

function specification(page: Page, symbol: string): Locator {
  return page.getByRole('region', { name: `${symbol}, specification` });
}

/** A figure of the specification, by the name beside it. */
function figureOf(panel: Locator, name: RegExp): Locator {
  return panel.locator('div:has(> dt)').filter({ has: panel.page().locator('dt', { hasText: name }) }).locator('dd button').first();
}

const day = (time: string): string => writeDay(time, { year: 'numeric', timeZone: 'America/Chicago' });

for (const [screen, toAddress] of [
  ['Price', ({ symbol }: Product) => `/price/${symbol}`],
  ['Volume', ({ symbol }: Product) => `/volume?product=${symbol}`],
] as const) {
  test(`${screen} says when a contract expires, what an option is on and the legs of a spread`, async ({ page }) => {
    const products = await readProducts(page);
    const [future, option, spread] = [firstOf(products, 'future'), firstOf(products, 'option'), firstOf(products, 'spread')];
    const symbolOf = (id: number | undefined): string => products.find((product) => product.product_id === id)?.symbol ?? '';
    const main = page.getByRole('main');
    await page.goto(toAddress(future));
    await expect(main.getByRole('button', { name: new RegExp(`^expires (today, |tomorrow, )?${day(future.final_settle_time ?? '')}, \\d\\d:\\d\\d UTC, in \\d+ (days?|h|min)$`) })).toBeVisible();
    await page.goto(toAddress(option));
    const underlying = products.find((product) => product.product_id === option.underlying_product);
    const strike = (option.strike_price ?? Number.NaN) * (underlying?.price_increment ?? Number.NaN);
    await expect(main.getByRole('button', { name: `strike ${strike.toLocaleString('en')} USD` })).toBeVisible();
    await expect(main).toContainText(`${option.option_type ?? ''} on ${underlying?.symbol ?? ''}, strike`);
    await page.goto(toAddress(spread));
    await expect(main).toContainText(`legs ${(spread.legs ?? []).map(({ product_id: id, weight }) => `${weight > 0 ? '+' : '−'}${String(Math.abs(weight))} ${symbolOf(id)}`).join(', ')}`);
    const [leg] = spread.legs ?? [];
    await main.getByRole('link', { name: symbolOf(leg?.product_id), exact: true }).click();
    await expect(page).toHaveURL(`/price/${String(leg?.product_id)}`);
  });
}

test('a perpetual does not expire: its header has no date, and its specification says so', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?spec=open');
  const panel = specification(page, 'PBTCUCZ50');
  await figureOf(panel, /^Expiry/).press('i');
  await expect(page.getByRole('dialog', { name: 'Expiry: –' })).toContainText('A perpetual does not expire.');
  await expect(header(page, 'PBTCUCZ50')).not.toContainText('expires');
});

/** Read on any screen, from a second after it was opened: the alerts of the header, and what is saved. */
const LATER: ReadonlySet<string> = new Set(['/api/desk/alerts', '/api/desk/saved']);

test('the specification opens by keyboard, is part of the address, and reads nothing', async ({ page, context }) => {
  const option = firstOf(await readProducts(page), 'option');
  const requested = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !LATER.has(pathname)) requested.add(pathname);
  });
  await page.goto(`/price/${option.symbol}`);
  await expect(page.getByRole('application', { name: new RegExp(option.symbol) })).toBeVisible();
  const strike = page.getByRole('button', { name: /^strike [\d,]/ });
  await expect(strike).toBeVisible();
  await expect(page.getByTestId('legend')).toContainText(/Open interest\s*\d/);
  // What the screen reads, it reads again now and then.
  const before = [...requested].toSorted();
  const toggle = page.getByRole('button', { name: 'Specification' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(page).toHaveURL(/\?spec=open$/);
  const panel = specification(page, option.symbol);
  await expect(figureOf(panel, /^Contract size/)).toHaveText(`${option.contract_size.toLocaleString('en')} ${option.contract_size_unit}`);
  await expect(figureOf(panel, /^Tick size/)).toHaveText(option.price_increment.toLocaleString('en'));
  await expect(figureOf(panel, /^Tick value/)).toHaveText((option.price_increment * option.contract_size).toLocaleString('en'));
  await expect(figureOf(panel, /^Session opens/)).toHaveText('19:00');
  await figureOf(panel, /^Strike/).press('i');
  await expect(page.getByRole('dialog', { name: /^Strike: / })).toContainText('ticks of the underlying product');
  await expect(page.getByRole('dialog', { name: /^Strike: / })).toContainText('Tick size check');
  expect([...requested].toSorted()).toEqual(before);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(specification(other, option.symbol)).toBeVisible();
  await page.keyboard.press('Escape');
  await toggle.click();
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/spec=/);
});

test('a strike is withheld where the tick size of its underlying fails the check', async ({ page }) => {
  const products = await readProducts(page);
  const option = firstOf(products, 'option');
  await page.route('**/api/desk/products', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly Product[] };
    await route.fulfill({ response, json: { ...body, products: body.products.map((product) => (product.product_id === option.underlying_product ? { ...product, price_increment: product.price_increment * 1_000 } : product)) } });
  });
  await page.goto(`/price/${option.symbol}`);
  const strike = page.getByRole('button', { name: 'strike n/a' });
  await expect(strike).toBeVisible();
  await strike.press('i');
  await expect(page.getByRole('dialog', { name: /^Strike/ })).toContainText(/times the exchange’s own USD/);
  await page.keyboard.press('Escape');
  await page.goto(`/?q=${option.symbol}&type=option`);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Strike' }).check();
  await page.keyboard.press('Escape');
  await expect(page.locator('[role=gridcell][data-column="strike"]').first()).toHaveText('n/a');
});

test('where the exchange offers no specifications, the panel says so and shows what is known', async ({ page }) => {
  await page.route('**/api/desk/products', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly Product[] };
    await route.fulfill({ response, json: { ...body, source: 'learnt from other answers', products: body.products.map(({ product_id }) => ({ product_id })) } });
  });
  const { product_id: id } = firstOf(await readProducts(page), 'future');
  await page.goto(`/price/${String(id)}?spec=open`);
  const panel = page.getByRole('region', { name: /, specification$/ });
  await expect(panel).toContainText('The exchange offers no product specifications.');
  await expect(figureOf(panel, /^Product ID/)).toHaveText(String(id));
  await figureOf(panel, /^Expiry/).press('i');
  await expect(page.getByRole('dialog', { name: 'Expiry: –' })).toContainText('Not in the exchange’s specification of this product.');
});

test('a product that the directory does not list has no specification', async ({ page }) => {
  const { product_id: id } = firstOf(await readProducts(page), 'future');
  await page.route('**/api/desk/products', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly Product[] };
    await route.fulfill({ response, json: { ...body, products: body.products.filter((product) => product.product_id !== id) } });
  });
  await page.goto(`/price/${String(id)}?spec=open`);
  await expect(page.getByRole('heading', { name: 'No specification' })).toBeVisible();
});

test.describe('when the directory cannot be read', () => {
  test.use({ provoked: /502/ });

  test('the specification says what happened and offers to try again', async ({ page }) => {
    const { product_id: id } = firstOf(await readProducts(page), 'future');
    await page.route('**/api/desk/products', (route) => route.fulfill(toProblemResponse('venue-unreachable', 'The exchange is unreachable.')));
    await page.goto(`/price/${String(id)}?spec=open`);
    await expect(page.getByRole('region', { name: /, specification$/ }).getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

test('header and specification keep to the page in every look, and axe finds no violation', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 });
  const option = firstOf(await readProducts(page), 'option');
  await page.goto(`/price/${option.symbol}?spec=open`);
  await inEachLook(page, [[360, 900], [1280, 900], [2560, 900]], async (look) => {
    await expect(page.getByRole('button', { name: /^strike [\d,]/ })).toBeVisible();
    await expect(figureOf(specification(page, option.symbol), /^Strike/)).toHaveText(/^[\d,]+$/);
    await takeShot(page, `specification-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await expectAccessible(page, look);
  });
});
