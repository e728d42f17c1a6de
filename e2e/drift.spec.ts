import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

type Row = Record<string, unknown>;

/** Responses of the venue with the first row changed. */
async function changeFirst(page: Page, path: string, change: (row: Row) => Row): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Row[] | { readonly data: Row[] };
    const [first = {}, ...rest] = Array.isArray(body) ? body : body.data;
    const rows = [change(first), ...rest];
    await route.fulfill({ response, json: Array.isArray(body) ? rows : { ...body, data: rows } });
  });
}

const withField = (row: Row): Row => ({ ...row, colour: 'blue' });
/** JSON has no undefined: the field is not sent. */
const withoutVolume = (row: Row): Row => ({ ...row, volume: undefined });

test('an unknown field is shown quietly beside the age, with details by i', async ({ page }) => {
  await changeFirst(page, '**/api/web/market/stats/trailing/all-products', withField);
  await page.goto('/');
  const mark = page.getByRole('button', { name: '1 unknown field' });
  await expect(mark).toBeVisible();
  await expect(page.locator('[data-state="none"]', { has: mark })).toBeVisible();
  await mark.focus();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog', { name: 'Differs from the exchange’s API' })).toContainText('trailingStatsAll: unknown field');
  await expect(page.getByRole('dialog')).toContainText('colour');
  await takeShot(page, 'drift-light-1280');
});

for (const path of ['/price', '/volume']) {
  test(`a missing field is shown in amber on ${path}`, async ({ page }) => {
    await changeFirst(page, '**/api/web/charts/voi**', withoutVolume);
    await page.goto(path);
    const mark = page.getByRole('button', { name: /^\d+ deviations?$/ });
    await expect(mark).toBeVisible();
    await expect(page.locator('[data-state="attention"]', { has: mark })).toBeVisible();
    await mark.click();
    await expect(page.getByRole('dialog')).toContainText('chartVoi: missing field');
  });
}

for (const { screen, path } of [
  { screen: '/price', path: '**/api/web/charts/price/**' },
  { screen: '/volume', path: '**/api/web/charts/voi**' },
]) {
  test(`a response with only invalid rows is not an empty one on ${screen}`, async ({ page }) => {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as readonly Row[];
      await route.fulfill({ response, json: rows.map((row) => ({ ...row, date: 0 })) });
    });
    await page.goto(`${screen}?range=All`);
    const emptyState = page.getByRole('main').locator('section[data-level]');
    await expect(emptyState.getByRole('heading', { name: 'No valid session received' })).toBeVisible();
    await expect(emptyState).toContainText('date: expected');
  });
}

test('a stacked chart fails when one of its products has no valid rows', async ({ page }) => {
  await page.route('**/api/web/charts/voi**', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly Row[];
    await route.fulfill({ response, json: rows.map((row) => (row['baseSymbol'] === 'ETHUI' ? { ...row, date: 0 } : row)) });
  });
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&range=1M');
  await expect(page.getByRole('heading', { name: 'No valid session of PETHUIZ50 received' })).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
});

test('a comparison says how many invalid rows are left out', async ({ page }) => {
  await changeFirst(page, '**/api/web/charts/price/**', (row) => ({ ...row, date: 0 }));
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect(page.getByText('2 rows from the exchange failed validation and are left out.')).toBeVisible();
});

for (const { name, path, address, change, kind } of [
  { name: 'a session of another product', path: '**/api/web/charts/voi**', address: '/volume?product=PBTCUCZ50', change: (row: Row) => ({ ...row, productId: 9_999 }), kind: 'chartVoi: not requested' },
  { name: 'a session from before the range', path: '**/api/web/charts/price/**', address: '/price/PBTCUCZ50', change: (row: Row) => ({ ...row, date: '2001-01-01', time: '2001-01-01T22:00:00Z' }), kind: 'chartPrice: outside the range' },
  { name: 'an order from the future', path: '**/api/orders?*', address: '/orders/history', change: (row: Row) => ({ ...row, time: '2099-01-01T00:00:00Z' }), kind: null },
]) {
  test(`${name} is left out, and counted`, async ({ page }) => {
    await changeFirst(page, path, change);
    await page.goto(address);
    await expect(page.getByText(/^1 row from the exchange failed validation and is left out/).first()).toBeVisible();
    if (kind === null) return;
    await page.getByRole('button', { name: /^\d+ deviations?$/ }).click();
    await expect(page.getByRole('dialog')).toContainText(kind);
  });
}

test('an impossible value is withheld, and the rest of its row stays', async ({ page }) => {
  await changeFirst(page, '**/api/web/market/stats/trailing/all-products', (row) => ({ ...row, volume: -500 }));
  await page.goto('/');
  await page.getByRole('button', { name: '1 deviation' }).click();
  await expect(page.getByRole('dialog')).toContainText('trailingStatsAll: impossible value');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(/row hidden/)).toHaveCount(0);
  await expect(page.getByText('-500')).toHaveCount(0);
});

for (const { name, change } of [
  { name: 'no decimal', change: (row: Row) => ({ ...row, settlementPrice: 'abc' }) },
  { name: 'below zero', change: (row: Row) => ({ ...row, settlementPrice: '-116680.0000000000' }) },
]) {
  test(`a settlement that is ${name} is withheld, and the chart stays`, async ({ page }) => {
    await changeFirst(page, '**/api/web/charts/price/**', change);
    await page.goto('/price/PBTCUCZ50');
    await expect(page.getByText('1 session not drawn: settlement n/a.').first()).toBeVisible();
    await expect(page.getByText(/failed validation/)).toHaveCount(0);
  });
}

test('an index of zero pays nothing, and an implausible rate is named', async ({ page }) => {
  await page.route('**/api/desk/funding*', async (route) => {
    const response = await route.fetch();
    const { perpetuals, ...rest } = (await response.json()) as { readonly perpetuals: readonly { readonly prints: readonly Row[] }[] };
    const changed = perpetuals.map(({ prints: [first, second, ...others], ...perpetual }) => ({ ...perpetual, prints: [{ ...first, price_index: 0 }, { ...second, funding_rate: 0.0123 }, ...others] }));
    await route.fulfill({ response, json: { ...rest, perpetuals: changed } });
  });
  await page.goto('/funding/BTCUC');
  await expect(page.getByTestId('carry-sum')).toContainText('1 without a price (no payment)');
  await expect(page.getByRole('table', { name: 'Gaps and faults' })).toContainText('The rate is beyond ±0.75 % per 8 h. Counted in every sum.');
  await expect(page.getByRole('grid', { name: 'Funding history' })).toContainText('implausible rate');
  await expect(page.getByRole('grid', { name: 'Funding history' }).getByText('n/a').first()).toBeVisible();
});

test('the list says that a product with an invalid row is missing', async ({ page }) => {
  await page.route('**/api/desk/products', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly Row[] };
    const [first = {}, ...rest] = body.products;
    await route.fulfill({ response, json: { ...body, products: [{ ...first, product_id: 'one' }, ...rest] } });
  });
  await page.goto('/');
  await expect(page.getByRole('main').getByText('Products: 1 row left out.')).toBeVisible();
  await expect(page.getByRole('status').first()).toContainText('1 row left out.');
});

test('nothing is shown while responses match the interface', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(/ old/)).toBeVisible();
  await expect(page.getByRole('button', { name: /unknown field|deviation/ })).toHaveCount(0);
});
