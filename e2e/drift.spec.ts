import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './watched-page.ts';

type Row = Record<string, unknown>;

/** Answers as the venue gives them, with one row changed. */
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

test('a field that nobody knows is told quietly where the list says how old it is, and by i what and where', async ({ page }) => {
  await changeFirst(page, '**/api/web/market/stats/trailing/all-products', withField);
  await page.goto('/');
  const mark = page.getByRole('button', { name: '1 unknown field' });
  await expect(mark).toBeVisible();
  await expect(page.locator('[data-state="none"]', { has: mark })).toBeVisible();
  await mark.focus();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog', { name: 'Not as the interface says' })).toContainText('trailingStatsAll: unknown field');
  await expect(page.getByRole('dialog')).toContainText('colour');
  await page.screenshot({ path: 'e2e/artifacts/screens/drift-light-1280.png' });
});

for (const path of ['/price', '/volume']) {
  test(`a field that is missing is told in amber on ${path}`, async ({ page }) => {
    await changeFirst(page, '**/api/web/charts/voi**', withoutVolume);
    await page.goto(path);
    const mark = page.getByRole('button', { name: /^answers differ in \d+ places?$/ });
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
  test(`rows that came and cannot be believed are not the same as nothing on ${screen}`, async ({ page }) => {
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as readonly Row[];
      await route.fulfill({ response, json: rows.map((row) => ({ ...row, date: 0 })) });
    });
    await page.goto(`${screen}?range=All`);
    const face = page.getByRole('main').locator('section[data-level]');
    await expect(face.getByRole('heading', { name: 'No session that came can be believed' })).toBeVisible();
    await expect(face).toContainText('date: expected');
  });
}

test('upon each other, one product of which nothing can be believed fails the whole: it would be missing on every day', async ({ page }) => {
  await page.route('**/api/web/charts/voi**', async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as readonly Row[];
    await route.fulfill({ response, json: rows.map((row) => (row['baseSymbol'] === 'ETHUI' ? { ...row, date: 0 } : row)) });
  });
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50&as=stacked&range=1M');
  await expect(page.getByRole('heading', { name: 'No session of PETHUIZ50 that came can be believed' })).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
});

test('two products are not compared over rows that cannot be believed without a word of it', async ({ page }) => {
  await changeFirst(page, '**/api/web/charts/price/**', (row) => ({ ...row, date: 0 }));
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50');
  await expect(page.getByText('2 rows of the venue could not be believed and are left out.')).toBeVisible();
});

test('a product whose row cannot be believed is not in the list, which says so', async ({ page }) => {
  await page.route('**/api/desk/products', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly Row[] };
    const [first = {}, ...rest] = body.products;
    await route.fulfill({ response, json: { ...body, products: [{ ...first, product_id: 'one' }, ...rest] } });
  });
  await page.goto('/');
  await expect(page.getByRole('main').getByText('The directory of products: 1 row left out.')).toBeVisible();
  await expect(page.getByRole('status').first()).toContainText('1 row left out.');
});

test('where answers are what they should be, nothing is told', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(/ old/)).toBeVisible();
  await expect(page.getByRole('button', { name: /unknown field|answers differ/ })).toHaveCount(0);
});
