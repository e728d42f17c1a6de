import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { readProducts } from './listed-products.ts';
import { test } from './watched-page.ts';
import { writeDay } from './write-day.ts';

test.use({ viewport: { width: 1_440, height: 2_600 } });

const FUNDING = ['Last funding', 'Predicted', 'APR', 'Countdown'];

function heads(page: Page): Locator {
  return page.getByRole('columnheader');
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('[data-column="symbol"] a').first()).toBeVisible();
  await expect(page.getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

test('a type of product has no columns of dashes, and those that are its own', async ({ page }) => {
  await open(page, '/');
  for (const name of FUNDING) await expect(heads(page).filter({ hasText: name })).toHaveCount(1);
  for (const [type, own] of [['Futures', ['Expiry']], ['Options', ['Expiry', 'Strike', 'Call / put']], ['Spreads', ['Expiry', 'Legs']]] as const) {
    await page.getByRole('radio', { name: type }).check();
    for (const name of own) await expect(heads(page).filter({ hasText: name })).toHaveCount(1);
    for (const name of FUNDING) await expect(heads(page).filter({ hasText: name })).toHaveCount(0);
  }
  await expect(page.locator('[role=columnheader][data-column="changePercent"]')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Perpetuals' }).check();
  await expect(heads(page).filter({ hasText: 'Countdown' })).toHaveCount(1);
  await expect(heads(page).filter({ hasText: 'Expiry' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'All' }).check();
  await expect(heads(page).filter({ hasText: 'Strike' })).toHaveCount(0);
});

test('both legs of a spread can be read', async ({ page }) => {
  await open(page, '/?type=spread');
  const isCut = await page.locator('[role=gridcell][data-column="symbol"]').evaluateAll((cells) => cells.some((cell) => [cell, ...cell.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0)));
  expect(isCut).toBe(false);
});

test('columns chosen for one type stay there, and are not those of all products', async ({ page }) => {
  await open(page, '/?type=option');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'APR' }).check();
  await page.getByRole('dialog').getByRole('checkbox', { name: '30 d trend' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(heads(page).filter({ hasText: 'APR' })).toHaveCount(1);
  await expect(heads(page).filter({ hasText: '30 d trend' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'All' }).check();
  await expect(heads(page).filter({ hasText: '30 d trend' })).toHaveCount(1);
});

test('a layout of all products, stored before types had their own, is the start of each', async ({ page }) => {
  await open(page, '/');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Settlement', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Options' }).check();
  await expect(heads(page).filter({ hasText: 'Strike' })).toHaveCount(1);
  await expect(page.locator('[role=columnheader][data-column="settlement"]')).toHaveCount(0);
});

test('a link shows the column that it sorts by, though hidden here; hiding it ends the sorting', async ({ page }) => {
  await open(page, '/?sort=-contractSize');
  const head = heads(page).filter({ hasText: 'Contract size' });
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Contract size' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(head).toHaveCount(0);
  await expect(page).toHaveURL('/');
});

test('the columns of a link are not kept: another change of the layout leaves them hidden', async ({ page }) => {
  await open(page, '/?sort=-contractSize');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: '30 d trend' }).uncheck();
  await page.keyboard.press('Escape');
  await open(page, '/');
  await expect(heads(page).filter({ hasText: '30 d trend' })).toHaveCount(0);
  await expect(heads(page).filter({ hasText: 'Contract size' })).toHaveCount(0);
});

interface Day {
  readonly productId: number;
  readonly date: string;
  readonly openInterest: number | null;
  readonly notionalOpenInterest: number | null;
}

test('totals keep notional, option premium and spread difference apart, and open interest has its date', async ({ page }) => {
  await open(page, '/');
  const products = (await readProducts(page)).filter(({ product_status: status }) => status === 'active');
  const days = (await (await page.request.get('/api/web/charts/voi')).json()) as readonly Day[];
  const latest = (id: number): Day | undefined => days.filter(({ productId, openInterest }) => productId === id && openInterest !== null).toSorted((a, b) => a.date.localeCompare(b.date)).at(-1);
  const sum = (types: readonly string[]): string => Math.round(products.filter(({ type }) => types.includes(type)).reduce((total, { product_id: id }) => total + (latest(id)?.notionalOpenInterest ?? 0), 0) / 100).toLocaleString('en');
  const footer = page.locator('footer');
  const withUnknown = String.raw`( \(\d+ of \d+ products\))?`;
  await expect(footer).toContainText(new RegExp(`Open interest USD: notional ${sum(['perpetual', 'future'])}${withUnknown}, option premium ${sum(['option'])}${withUnknown}, spread difference ${sum(['spread'])}`));
  const newest = days.filter(({ openInterest }) => openInterest !== null).map(({ date }) => date).toSorted().at(-1) ?? '';
  const day = writeDay(`${newest}T00:00:00Z`, { timeZone: 'UTC' });
  await expect(page.locator('[role=columnheader][data-column="openInterest"]')).toContainText(`OI ${day}`);
  await page.getByRole('radio', { name: 'Spreads' }).check();
  await expect(footer).toContainText(/Open interest USD: spread difference [\d,]+/);
  await expect(footer).not.toContainText('notional');
});
