import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { readFutures, readProducts } from './listed-products.ts';
import { test } from './watched-page.ts';

function table(page: Page) {
  return page.getByRole('table', { name: /volume and open interest in/ });
}

test('a product has its volume and its open interest, labelled as daily with its date', async ({ page }) => {
  await page.goto('/volume?product=PBTCUCZ50');
  await expect(page.getByRole('application', { name: /PBTCUCZ50/ })).toBeVisible();
  await expect(page.getByText(/Open interest: daily, published the next morning, Chicago time; latest \d+ \w+ \d{4}\./)).toBeVisible();
});

test('all expiries of a series are one click away, summed by the exchange in one request', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/charts/voi')) requested.push(new URL(request.url()).search);
  });
  const [front = ''] = await readFutures(page, 'BUS');
  await page.goto(`/volume?product=${front}`);
  await page.getByRole('button', { name: 'All expiries of BUS' }).click();
  await expect(page).toHaveURL(/series=BUS/);
  await expect(page.getByText(/Total of \d+ products, summed by the exchange\./)).toBeVisible();
  const total = requested.find((query) => query.split('product_id=').length > 3);
  expect(total).toBeDefined();
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`product=${front}`));
});

test('an added product is removed again, by keyboard too', async ({ page }) => {
  const [front = '', next = ''] = await readFutures(page, 'BUS');
  await page.goto(`/volume?product=${front},${next},PBTCUCZ50`);
  const chips = page.getByRole('list', { name: 'Products' }).getByRole('button');
  await expect(chips).toHaveCount(3);
  await page.getByRole('button', { name: `Remove ${next}` }).click();
  await expect(chips).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Remove PBTCUCZ50' })).toBeFocused();
  expect((await chips.first().boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/product=\d+$/);
  await expect(chips).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add product' })).toBeFocused();
  await page.goBack();
  await expect(chips).toHaveCount(2);
});

test('stacked products add up to the exchange’s total', async ({ page }) => {
  await page.goto('/volume?series=BUS&range=1M&view=table');
  await expect(table(page)).toBeVisible();
  const cells = (column: number): Promise<string[]> => table(page).locator(`tbody tr td:nth-child(${column})`).allInnerTexts();
  const [days, volumes] = [await cells(1), await cells(2)];
  await page.getByRole('radio', { name: 'Stacked' }).check();
  const heads = table(page).getByRole('columnheader');
  await expect(heads.last()).toContainText('Open interest, total');
  const column = (await heads.allInnerTexts()).findIndex((name) => name.startsWith('Volume, total'));
  expect([await cells(1), await cells(column + 1)]).toEqual([days, volumes]);
});

test('a table too wide for the screen keeps its dates in sight, each on one line', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/volume?series=BUS&as=stacked&range=1M&view=table');
  const [date, last] = [table(page).locator('tbody td').first(), table(page).locator('tbody tr').first().locator('td').last()];
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  await expect(date).toBeInViewport({ ratio: 1 });
  const isOneLine = await date.evaluate((cell) => cell.clientHeight < 2 * Number.parseFloat(getComputedStyle(cell).lineHeight));
  expect(isOneLine).toBe(true);
});

test('unit, bars and range are in the address, and the CSV has the bars shown', async ({ page, context }) => {
  await page.goto('/volume?product=PBTCUCZ50');
  for (const name of ['USD', '1W', '3M']) await page.getByRole('radio', { name, exact: true }).check();
  for (const choice of [/unit=usd/, /bars=1W/, /range=3M/]) await expect(page).toHaveURL(choice);
  const other = await context.newPage();
  await other.goto(page.url());
  for (const name of ['USD', '1W', '3M']) await expect(other.getByRole('radio', { name, exact: true })).toBeChecked();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const [heading, ...lines] = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(heading).toMatch(/^date,last_session,bar,/);
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(line).toMatch(/^[\d-]+,[\d-]+,computed 1W,PBTCUCZ50,/);
});

test('a session without open interest is a gap, not zero', async ({ page }) => {
  const [response] = await Promise.all([page.waitForResponse(/\/charts\/voi\?/), page.goto('/volume?product=PBTCUCZ50&range=1M&view=table')]);
  const days = (await response.json()) as readonly { readonly date: string; readonly openInterest: number | null }[];
  const newestFirst = days.toSorted((a, b) => b.date.localeCompare(a.date));
  const shown = newestFirst.map(({ openInterest }) => openInterest?.toLocaleString('en-US') ?? '–');
  expect(shown).toContain('–');
  await expect(table(page).locator('tbody tr')).toHaveCount(shown.length);
  expect(await table(page).locator('tbody tr td:nth-child(3)').allInnerTexts()).toEqual(shown);
});

test('the scale is chosen as on Price, by Alt+L too; a stack has none', async ({ page }) => {
  await page.goto('/volume?series=BUS');
  await expect(page.getByRole('application')).toBeVisible();
  const scale = page.getByRole('group', { name: 'Scale' });
  await scale.getByRole('radio', { name: '%' }).check();
  await expect(page).toHaveURL(/scale=percent/);
  await expect(page.getByText(/^Open interest: percent change from \d+ \w+ \d{4}\. Volume: absolute\.$/)).toBeVisible();
  await page.keyboard.press('Alt+l');
  await expect(scale.getByRole('radio', { name: 'Log' })).toBeChecked();
  await page.getByRole('radio', { name: 'Stacked' }).check();
  await expect(page.getByText(/products, stacked\./)).toBeVisible();
  await expect(scale).toHaveCount(0);
  await page.keyboard.press('Alt+l');
  await expect(page).toHaveURL(/scale=log/);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Show the whole range')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Toggle logarithmic scale')).toHaveCount(0);
});

test('figures of the legend have their provenance: each product’s own response, and a total computed here', async ({ page }) => {
  const [front = ''] = await readFutures(page, 'BUS');
  await page.goto('/volume?series=BUS&range=1M');
  await page.getByRole('radio', { name: 'Stacked' }).check();
  const legend = page.getByTestId('legend');
  const tooltip = page.getByRole('dialog');
  await legend.locator('div').filter({ hasText: 'Total' }).getByRole('button').first().press('i');
  await expect(tooltip).toContainText(/Sum of \d+ products\./);
  await page.keyboard.press('Escape');
  await legend.locator('div').filter({ hasText: front }).getByRole('button').first().press('i');
  await expect(tooltip).toContainText(/product_id=\d+/);
  await expect(tooltip).toContainText('volume');
});

test('a series names the product that expires next, with the days left; perpetuals name none', async ({ page }) => {
  const listed = (await readProducts(page)).filter(({ product_status: status, symbol, final_settle_time: at }) => status === 'active' && symbol.startsWith('BUS') && !symbol.includes('-') && at !== undefined);
  const next = listed.toSorted((a, b) => Date.parse(a.final_settle_time ?? '') - Date.parse(b.final_settle_time ?? ''))[0]?.symbol ?? 'none';
  await page.goto('/volume?series=BUS');
  const panel = page.getByRole('region', { name: 'All expiries of BUS, volume and open interest' });
  await expect(panel).toContainText(new RegExp(String.raw`Next expiry: ${next}\s*expires (?:today, |tomorrow, )?\d+ \w+ \d{4}, \d\d:\d\d UTC, in \d+ (?:days?|h|min)`));
  await expect(panel.getByRole('link', { name: next })).toHaveAttribute('href', /^\/price\/\d+$/);
  await panel.getByRole('button', { name: /expires/ }).press('i');
  await expect(page.getByRole('dialog')).toContainText('final_settle_time');
  await page.goto('/volume?product=PBTCUCZ50,PETHUIZ50');
  await expect(page.getByRole('region', { name: 'PBTCUCZ50 + PETHUIZ50, volume and open interest' }).locator('canvas').first()).toBeVisible();
  await expect(page.getByText('Next expiry')).toHaveCount(0);
});

test('contracts of different sizes are not added without saying so, and USD is offered instead', async ({ page }) => {
  const products = await readProducts(page);
  const perpetuals = products.filter(({ type, product_status: status }) => type === 'perpetual' && status === 'active');
  const [one] = perpetuals;
  const other = perpetuals.find(({ contract_size: size }) => size !== one?.contract_size);
  await page.goto(`/volume?product=${one?.symbol ?? ''},${other?.symbol ?? ''}&range=1M`);
  const notice = page.getByRole('note').filter({ hasText: 'Contracts of different sizes' });
  await expect(notice).toContainText(`${other?.contract_size.toLocaleString('en') ?? ''} ${other?.contract_size_unit ?? ''}`);
  await notice.getByRole('button', { name: 'Show USD' }).click();
  await expect(page).toHaveURL(/unit=usd/);
  await expect(notice).toHaveCount(0);
  await page.goto(`/volume?product=${one?.symbol ?? ''}&range=1M`);
  await expect(page.getByRole('application')).toBeVisible();
  await expect(notice).toHaveCount(0);
});
