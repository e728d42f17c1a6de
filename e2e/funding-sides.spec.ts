import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { cellOf, rowsOf, type Funding } from './funding-page.ts';
import { test } from './watched-page.ts';

async function openFunding(page: Page, query: string): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding?${query}`)]);
  await expect(rowsOf(page).first()).toBeVisible();
  return (await response.json()) as Funding;
}

/** What compounding a year of a rate gives a position, in percent as shown; computed independently. */
function toApy(rate: number): string {
  const percent = ((1 + rate) ** 1_095 - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

/** The perpetual with the lowest latest rate, which shorts pay or longs pay least. */
function findLowest({ perpetuals }: Funding): { readonly symbol: string; readonly rate: number } {
  const [lowest] = perpetuals.flatMap(({ base_symbol: symbol, prints: [newest] }) => (newest === undefined ? [] : [{ symbol, rate: newest.funding_rate }])).toSorted((a, b) => a.rate - b.rate);
  if (lowest === undefined) throw new Error('no settled rate');
  return lowest;
}

async function saveRows(page: Page, button: Locator): Promise<{ readonly name: string; readonly rows: readonly Readonly<Record<string, string>>[] }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const [heading = [], ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').map((line) => line.replaceAll(/"[^"]*"/g, 'quoted').split(','));
  return { name: file.suggestedFilename(), rows: lines.map((cells) => Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? '']))) };
}

for (const [side, sign] of [['market', 1], ['long', -1], ['short', 1]] as const) {
  test(`the APY of the ${side} compounds what it receives, in table, header, legend, history and file`, async ({ page }) => {
    const funding = await openFunding(page, `form=apy&side=${side}`);
    const { symbol, rate } = findLowest(funding);
    const apy = toApy(sign * rate);
    await expect(cellOf(page, symbol, 'form')).toHaveText(apy);
    await page.goto(`/funding/${symbol}?form=apy&side=${side}`);
    await expect(page.getByTestId('last-settled').getByRole('button').nth(1)).toHaveText(apy);
    const panel = page.getByRole('region', { name: 'Settled rates' });
    await expect(panel.getByTestId('legend')).toContainText(apy);
    await expect(page.getByRole('grid', { name: 'Funding history' }).locator('[role=gridcell][data-column="form"]').first()).toHaveText(apy);
    const { rows } = await saveRows(page, panel.getByRole('button', { name: 'CSV', exact: true }));
    expect(Number(rows.at(-1)?.['percent_APY'])).toBeCloseTo(((1 + sign * rate) ** 1_095 - 1) * 100, 6);
  });
}

test('every file of one screen has the same sign, and says which', async ({ page }) => {
  const funding = await openFunding(page, 'side=long&range=24h');
  const { symbol, rate } = findLowest(funding);
  await page.getByRole('checkbox', { name: `Chart ${symbol}` }).click();
  const table = await saveRows(page, page.getByRole('button', { name: 'Table CSV', exact: true }));
  expect(table.name).toMatch(/^funding-comparison-long-/);
  const inTable = table.rows.find(({ base_symbol }) => base_symbol === symbol);
  expect([Number(inTable?.['last_settled']), inTable?.['side']]).toEqual([-rate, 'long']);
  const rates = await saveRows(page, page.getByRole('button', { name: 'Rates CSV', exact: true }));
  expect([Number(rates.rows.at(-1)?.['funding_rate']), rates.rows.at(-1)?.['sign']]).toEqual([-rate, 'positive: a long position receives']);
  const heat = await saveRows(page, page.getByRole('region', { name: /^Funding heatmap/ }).getByRole('button', { name: 'CSV', exact: true }));
  const inHeat = heat.rows.find(({ base_symbol }) => base_symbol === symbol) ?? {};
  expect(inHeat['sign']).toBe('positive: a long position receives');
  expect(Object.entries(inHeat).filter(([name]) => name.endsWith('Z')).map(([, value]) => value)).toContain(String(-rate));
});

test('the table file has the same columns and figures in every rate unit, with no more digits than a spreadsheet keeps', async ({ page }) => {
  const files = [];
  for (const form of ['apr', 'apy', 'interval']) {
    await openFunding(page, `form=${form}`);
    await expect(rowsOf(page).locator('[data-column="estimate"]').filter({ hasText: '…' })).toHaveCount(0);
    files.push(await saveRows(page, page.getByRole('button', { name: 'Table CSV', exact: true })));
  }
  const figures = files.map(({ rows }) => rows.map((row) => Object.entries(row).filter(([name]) => /^(last_settled|sum_|mean_|apr_|apy_|deviation_|percentile)/.test(name))));
  expect(figures[1]).toEqual(figures[0]);
  expect(figures[2]).toEqual(figures[0]);
  for (const [name, value] of figures[0]?.flat() ?? []) expect(`${name} ${value.replace(/^-?[0.]*/, '').replace('.', '')}`.length - name.length - 1).toBeLessThanOrEqual(15);
  const [row = {}] = files[0]?.rows ?? [];
  expect(Number(row['apr_simple_30d']) / 1_095).toBeCloseTo(Number(row['mean_per_8h_30d']), 12);
  expect((1 + Number(row['mean_per_8h_30d'])) ** 1_095 - 1).toBeCloseTo(Number(row['apy_30d']), 8);
});

test('APR, sum and mean of the table file have the sign of the side, counts do not depend on it', async ({ page }) => {
  await openFunding(page, 'side=long&sort=symbol');
  const { rows } = await saveRows(page, page.getByRole('button', { name: 'Table CSV', exact: true }));
  await openFunding(page, 'side=market&sort=symbol');
  const market = (await saveRows(page, page.getByRole('button', { name: 'Table CSV', exact: true }))).rows;
  for (const name of ['apr_simple_7d', 'sum_7d', 'mean_7d', 'mean_per_8h_7d']) expect(rows.map((row) => Number(row[name]))).toEqual(market.map((row) => 0 - Number(row[name])));
  expect(rows.map((row) => row['longs_paid_7d'])).toEqual(market.map((row) => row['longs_paid_7d']));
});

test('the percentile goes by the side', async ({ page }) => {
  await openFunding(page, 'side=market');
  // A perpetual that was listed lately has none.
  const withPercentile = rowsOf(page).filter({ has: page.locator('[data-column="percentile"]', { hasText: /^[\d.]+$/ }) });
  const symbol = await withPercentile.first().getByRole('link').first().innerText();
  const read = async (): Promise<number> => Number(await cellOf(page, symbol, 'percentile').innerText());
  const market = await read();
  await page.getByRole('radio', { name: 'Long position' }).check();
  await expect.poll(async () => (await read()) + market).toBeCloseTo(100, 1);
});

test('the carry is that of the sign convention, unless another side is chosen', async ({ page }) => {
  await page.goto('/funding/BTCUC');
  const sum = page.getByTestId('carry-sum').getByRole('button').first();
  await expect(sum).toHaveText(/^[+−]/);
  const long = await sum.innerText();
  const position = page.getByRole('group', { name: 'Position' });
  await page.getByRole('radio', { name: 'Short position' }).check();
  await expect(position.getByRole('radio', { name: 'Short' })).toBeChecked();
  await expect(sum).toHaveText(long.replace(/^[+−]/, (was) => (was === '+' ? '−' : '+')));
  await position.getByRole('radio', { name: 'Long' }).check();
  await expect(page).toHaveURL(/side=short&hold=long/);
  await expect(sum).toHaveText(long);
});

test('what a position would cost from here on is an assumption apart from the carry', async ({ page }) => {
  await page.goto('/funding/BTCUC?contracts=100');
  const ahead = page.getByTestId('carry-ahead');
  await expect(ahead).toHaveCSS('border-style', 'dashed');
  await expect(ahead).toContainText('next 30 d, 90 intervals');
  const toNumber = (text: string): number => Number(text.replace('−', '-').replaceAll(',', ''));
  const each = async (): Promise<number> => toNumber(await page.getByTestId('carry-estimate').getByRole('button').first().innerText());
  // A newer predicted rate may arrive between two reads.
  await expect.poll(async () => Math.abs(toNumber(await ahead.getByRole('button').first().innerText()) / 90 - (await each()))).toBeLessThan(0.0005);
  await ahead.getByRole('button').nth(1).focus();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText('Assumption, no forecast: mean of the 90 settled rates of the last 30 days');
  await page.keyboard.press('Escape');
  const later = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, '2026-11-20T08:00'.length);
  await page.getByLabel('To, UTC', { exact: true }).fill(later);
  await expect(ahead).toContainText(/rest of the period, (29|30) intervals/);
});
