import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

/** Perpdesk has just started, and reads from the exchange for the first time. */
const STARTING = 15_000;

/** A tree where products are grouped. */
function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' }).or(page.getByRole('treegrid', { name: 'Markets' }));
}

/** The cell with the keyboard cursor. */
function activeCell(page: Page): Locator {
  return grid(page).locator('[data-active]');
}

function rowOf(page: Page, symbol: string): Locator {
  return grid(page).getByRole('row').filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
}

/** High enough for all rows: the list draws only those in sight. */
test.use({ viewport: { width: 1280, height: 4_400 } });

async function open(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await expect(grid(page)).toBeVisible({ timeout: STARTING });
  await expect(linesOf(page).first()).toBeVisible();
  await expect(grid(page).getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

/** Products and, where grouped, underlyings. */
function linesOf(page: Page): Locator {
  return grid(page).locator('[role=row]:has([role=gridcell])');
}

function productsOf(page: Page): Locator {
  return linesOf(page).and(page.locator(':not([data-group])'));
}

/** A column's texts from top to bottom. */
function textsOf(page: Page, column: string): Promise<readonly string[]> {
  return productsOf(page).locator(`[data-column="${column}"]`).allInnerTexts();
}

/** A column's figures; NaN where there is none. */
async function figuresOf(page: Page, column: string): Promise<readonly number[]> {
  return (await textsOf(page, column)).map((text) => Number(text.replaceAll(',', '').replace('−', '-').trim()));
}

function isOrdered(figures: readonly number[], descending: boolean): boolean {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  const sorted = known.toSorted((a, b) => (descending ? b - a : a - b));
  const missingLast = figures.slice(known.length).every((figure) => Number.isNaN(figure));
  return known.length > 0 && missingLast && known.every((figure, index) => figure === sorted[index]);
}

/** The product's id, from its link. */
async function idOf(row: Locator): Promise<string> {
  const href = await row.locator('[data-column="symbol"] a').getAttribute('href');
  return href?.split('/').at(-1) ?? '';
}

test('typing finds a product, and Enter opens its price', async ({ page }) => {
  await open(page);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('perpetual ether');
  await expect(linesOf(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect(activeCell(page)).toHaveText('PETHUIZ50');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/price\/\d+$/);
});

test('every active product has a row, and no other product', async ({ page, request }) => {
  const directory = (await (await request.get('/api/desk/products')).json()) as { products: { symbol: string; product_status: string }[] };
  const active = directory.products.filter(({ product_status: status }) => status === 'active').map(({ symbol }) => symbol);
  await open(page);
  expect([...(await textsOf(page, 'symbol'))].sort()).toEqual(active.sort());
  await expect(page.getByText(`${String(active.length)} of ${String(active.length)} products`)).toBeVisible();
});

test('figures match the exchange’s, in the unit of their header', async ({ page, request }) => {
  const stats = (await (await request.get('/api/web/market/stats/trailing/all-products')).json()) as { productId: number; volume: number | null }[];
  const traded = stats.find(({ volume }) => (volume ?? 0) > 0);
  await open(page);
  const row = productsOf(page).filter({ has: page.locator(`a[href="/price/${String(traded?.productId)}"]`) });
  const shown = (await row.locator('[data-column="volume"]').innerText()).replaceAll(',', '');
  // The exchange goes on trading between the two reads.
  expect(Math.abs(Number(shown) - (traded?.volume ?? 0))).toBeLessThanOrEqual((traded?.volume ?? 0) * 0.05 + 20);
});

test('a header sorts by its column, both ways with missing values last, and has aria-sort', async ({ page }) => {
  await open(page);
  expect(isOrdered(await figuresOf(page, 'volumeUsd'), true)).toBe(true);
  const head = grid(page).getByRole('columnheader', { name: 'Funding' });
  await head.click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  const down = await figuresOf(page, 'funding');
  expect(down.some((figure) => Number.isNaN(figure))).toBe(true);
  expect(isOrdered(down, true)).toBe(true);
  await head.click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  expect(isOrdered(await figuresOf(page, 'funding'), false)).toBe(true);
});

test('Shift-click on a header adds a sort level', async ({ page }) => {
  await open(page, '/?sort=type');
  await grid(page).getByRole('columnheader', { name: 'Symbol' }).click({ modifiers: ['Shift'] });
  await expect(page).toHaveURL('/?sort=type%2Csymbol');
  const types = await textsOf(page, 'type');
  const symbols = (await textsOf(page, 'symbol')).filter((_, index) => types[index] === 'perpetual');
  expect(symbols).toEqual([...symbols].sort());
});

test('a link shows the same list', async ({ page, context }) => {
  await open(page);
  await page.getByRole('radio', { name: 'Perpetuals' }).check();
  await page.getByRole('button', { name: 'Group by underlying' }).click();
  await grid(page).getByRole('columnheader', { name: 'APR' }).click();
  await page.getByRole('searchbox').fill('dollar kilo');
  await expect(page).toHaveURL('/?type=perpetual&group=underlying&sort=-apr&q=dollar+kilo');
  const other = await context.newPage();
  await open(other, page.url());
  await expect(other.getByRole('searchbox')).toHaveValue('dollar kilo');
  expect(await textsOf(other, 'symbol')).toEqual(await textsOf(page, 'symbol'));
  expect(await textsOf(page, 'symbol')).toContain('PXTZUKZ50');
});

test('an invalid address shows the default list', async ({ page }) => {
  await open(page, '/?sort=-nothing,%27&type=swap&group=moon');
  expect(isOrdered(await figuresOf(page, 'volumeUsd'), true)).toBe(true);
});

test('products are grouped by underlying, and the sums add up to the total', async ({ page }) => {
  await open(page, '/?group=underlying');
  const groups = linesOf(page).and(page.locator('[data-group]'));
  await expect(groups.filter({ hasText: /▾ BTC · \d+/ })).toHaveCount(1);
  const volumes = await groups.evaluateAll((lines) => lines.toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex)).map((line) => line.querySelector('[data-column="volumeUsd"]')?.textContent ?? ''));
  const inOrder = volumes.map((text) => (text === '–' ? -1 : Number(text.replaceAll(',', ''))));
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => b - a));
  const sums = groups.locator('[data-column="openInterestUsd"]');
  const parts = (await sums.allInnerTexts()).map((text) => (text === '–' ? 0 : Number(text.replaceAll(',', ''))));
  const [, total = ''] = /Open interest USD: notional ([\d,]+)/.exec(await page.locator('footer').innerText()) ?? [];
  // Each sum is rounded to a dollar by itself.
  expect(Math.abs(parts.reduce((sum, part) => sum + part, 0) - Number(total.replaceAll(',', '')))).toBeLessThanOrEqual(parts.length);
});

test('favourites survive a reload, and can be shown alone', async ({ page }) => {
  await open(page);
  await rowOf(page, 'PSOLUSZ50').getByRole('button', { name: 'PSOLUSZ50 in Favourites' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'PSOLUSZ50 in Favourites' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect(page).toHaveURL('/?only=favourites');
  await expect.poll(() => textsOf(page, 'symbol')).toEqual(['PSOLUSZ50']);
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('perpdesk.watchlists'))) ?? '')).toHaveProperty('version', 1);
});

test('the number of matches is announced while typing, but not for a filter in the address', async ({ page }) => {
  const announced: string[] = [];
  await page.exposeFunction('record', (text: string) => announced.push(text));
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        if (!(target instanceof Element) || target.closest('[aria-live]') === null) continue;
        for (const node of addedNodes) (window as unknown as { record: (text: string) => void }).record(node.textContent ?? '');
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/?q=PBTCUC');
  await expect(page.getByRole('grid', { name: 'Markets' }).getByRole('gridcell').first()).toBeVisible();
  await page.getByRole('searchbox').fill('no such thing');
  const counts = (): readonly string[] => announced.filter((text) => text.endsWith(' products'));
  await expect.poll(counts).toContainEqual(expect.stringMatching(/^0 of \d+ products$/));
  expect(counts()).toHaveLength(1);
});

test('a filter without matches says so, and a button clears it', async ({ page }) => {
  await open(page, '/?type=spread&sort=symbol');
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await takeShot(page, 'markets-filtered-out-light-1280');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page).toHaveURL('/?sort=symbol');
  await expect(grid(page)).toBeVisible();
});

test('where the tick size check fails, USD from ticks is n/a with the reason, and nothing stands in for it', async ({ page }) => {
  await open(page, '/?q=PSHBUNZ50');
  const row = rowOf(page, 'PSHBUNZ50');
  for (const column of ['last', 'settlement', 'change']) await expect(row.locator(`[data-column="${column}"]`)).toHaveText('n/a');
  await expect(page.getByText('PSHBUNZ50: USD prices withheld.')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/The published tick size, [\d.]+ USD, or contract size, 100000, looks wrong: together they imply about 1,000 times the exchange’s own USD values of \d+ \w+ \d{4}/);
});

test('on a phone a tap shows why USD prices are withheld', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, '/?q=PSHBUNZ50');
  const reason = page.getByRole('main').getByText(/imply about [\d,]+ times the exchange’s own USD values/);
  await expect(reason).toBeHidden();
  await page.getByText('PSHBUNZ50: USD prices withheld.').click();
  await expect(reason).toBeVisible();
});

test('the footer with the legend is there before the list has loaded', async ({ page }) => {
  const { promise: drawn, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/api/**', async (route) => {
    await drawn;
    await route.continue();
  });
  await page.goto('/');
  const legend = page.getByText('Positive funding: longs pay shorts.');
  await expect(legend).toBeVisible();
  await expect(grid(page)).toHaveCount(0);
  resolve(undefined);
  await expect(grid(page)).toBeVisible({ timeout: STARTING });
  await expect(legend).toHaveCount(1);
});

test('pinned columns stay while the others scroll below them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  // Measured in one frame: figures that arrive may widen a column.
  const moved = await grid(page).evaluate(async (list) => {
    const leftOf = (column: string): number => list.querySelector(`[role=gridcell][data-column="${column}"]`)?.getBoundingClientRect().x ?? Number.NaN;
    const before = { symbol: leftOf('symbol'), change: leftOf('changePercent') };
    list.scrollLeft = 60;
    await new Promise(requestAnimationFrame);
    return { symbol: leftOf('symbol') - before.symbol, change: leftOf('changePercent') - before.change };
  });
  expect(moved).toEqual({ symbol: 0, change: -60 });
});

test('columns are pinned by layers of their own only while they may scroll, and the page may be late to hear of it', async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 800 });
  await open(page);
  const layers = grid(page).locator('[data-pin=start]');
  const arePinned = () => layers.evaluateAll((cells) => cells.every((cell) => getComputedStyle(cell).position === 'sticky'));
  expect(await arePinned()).toBe(false);
  await grid(page).hover();
  await expect.poll(arePinned).toBe(true);
  await page.mouse.wheel(60, 0);
  await expect.poll(() => grid(page).evaluate((list) => list.scrollLeft)).toBe(60);
  await page.mouse.move(0, 0);
  expect(await arePinned()).toBe(true);
  const edges = await Promise.all([grid(page), layers.first()].map(async (element) => (await element.boundingBox())?.x));
  expect(edges[1]).toBe(edges[0]);
  await grid(page).evaluate((list) => { list.scrollLeft = 0; });
  await expect.poll(arePinned).toBe(false);
});

test('funding: settled rate, predicted rate, countdown, and APR as the rate × 3 × 365', async ({ page }) => {
  await open(page, '/?q=PBTCUCZ50');
  const cell = (column: string): Locator => rowOf(page, 'PBTCUCZ50').locator(`[data-column="${column}"]`);
  await expect(cell('estimate')).toHaveText(/^[+−]?\d\.\d{4}$/, { timeout: 15_000 });
  await expect(cell('boundary')).toHaveText(/^[0-7]:[0-5]\d:[0-5]\d$/);
  const left = await cell('boundary').innerText();
  await expect(cell('boundary')).not.toHaveText(left);
  const [rate, apr] = [await cell('funding').innerText(), await cell('apr').innerText()].map((text) => Number(text.replace('−', '-')));
  // The rate is shown with four digits.
  expect(Math.abs((apr ?? NaN) - (rate ?? NaN) * 3 * 365)).toBeLessThanOrEqual(0.00005 * 3 * 365 + 0.005);
});

test('predicted rates that are cached are shown at once on return to the list', async ({ page }) => {
  await open(page, '/?type=perpetual');
  const estimates = linesOf(page).locator('[data-column="estimate"]');
  await expect(estimates.filter({ hasText: '…' })).toHaveCount(0, { timeout: 30_000 });
  const count = await estimates.count();
  await page.route('**/funding-rates/estimated/**', () => undefined);
  await page.getByRole('link', { name: 'Status' }).click();
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await page.goBack();
  await expect(estimates).toHaveCount(count);
  await expect(estimates.filter({ hasText: '…' })).toHaveCount(0, { timeout: 1_000 });
});

test('a figure has a tooltip with its provenance, by pointer and by key', async ({ page }) => {
  await open(page, '/?q=PBTCUCZ50');
  const cell = rowOf(page, 'PBTCUCZ50').locator('[data-column="openInterestUsd"]');
  await cell.click();
  const tooltip = page.getByRole('dialog', { name: /PBTCUCZ50 open interest: [\d,.]+ USD/ });
  await expect(tooltip).toContainText('US cents × 0.01 = USD');
  await expect(tooltip).toContainText('notionalOpenInterest');
  await cell.click();
  await expect(tooltip).toBeHidden();
  await page.getByRole('searchbox').press('Enter');
  await page.keyboard.press('End');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(cell).toHaveAttribute('data-active');
  await page.keyboard.press('i');
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeFocused();
  await expect(cell).toHaveAttribute('data-active');
});

test('by keyboard alone: one tab stop, arrows, Home and End, sorting, and into a product', async ({ page }) => {
  await open(page, '/?sort=symbol');
  await page.getByRole('link', { name: 'the cross-checks' }).focus();
  await page.keyboard.press('Tab');
  await expect(grid(page)).toBeFocused();
  for (const key of ['ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await expect(page).toHaveURL('/?sort=-symbol');
  await page.keyboard.press('ArrowDown');
  const symbols = await textsOf(page, 'symbol');
  await expect(activeCell(page)).toHaveText(symbols[0] ?? '');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: `${symbols[0] ?? ''} in Favourites`, exact: true })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Control+End');
  await expect(linesOf(page).last().locator('[data-active]')).toHaveText('Orders');
  await page.keyboard.press('Tab');
  expect(await grid(page).evaluate((each) => each.contains(document.activeElement))).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(activeCell(page)).toHaveText(symbols.at(-1) ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/price\/\d+$/);
});

test('a row links to its product’s volume, funding and orders', async ({ page }) => {
  await open(page, '/?q=PBTCUCZ50');
  const row = rowOf(page, 'PBTCUCZ50');
  const id = await idOf(row);
  await expect(row.locator('[data-column="openInterest"] a')).toHaveAttribute('href', `/volume?product=${id}`);
  await expect(row.locator('[data-column="funding"] a')).toHaveAttribute('href', '/funding/BTCUC');
  await row.getByRole('link', { name: 'Orders in PBTCUCZ50' }).click();
  await expect(page.getByRole('list', { name: 'Filters' })).toHaveText('Product is PBTCUCZ50×, remove filter');
});

test('a group is collapsed and expanded, and a link shows the same', async ({ page, context }) => {
  await open(page, '/?group=underlying&sort=symbol');
  const all = await productsOf(page).count();
  const group = linesOf(page).filter({ hasText: /[▾▸] BTC · \d+/ });
  const collapsed = Number(/\d+/.exec(await group.innerText())?.[0]);
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(productsOf(page)).toHaveCount(all - collapsed);
  await expect(page).toHaveURL(/closed=BTC/);
  const other = await context.newPage();
  await open(other, page.url());
  await expect(productsOf(other)).toHaveCount(all - collapsed);
  await grid(page).focus();
  await page.keyboard.press('Enter');
  await expect(productsOf(page)).toHaveCount(all);
  await expect(page).not.toHaveURL(/closed/);
});

test('chosen columns survive a reload, and a phone has its own', async ({ page }) => {
  await open(page);
  const trend = grid(page).getByRole('columnheader', { name: '30 d trend' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: '30 d trend' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(trend).toHaveCount(0);
  await page.reload();
  await expect(linesOf(page).first()).toBeVisible();
  await expect(trend).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(trend).toHaveCount(1);
});

test('the CSV has the rows shown, with raw values', async ({ page }) => {
  // By a column in which no trade moves a row between the two reads.
  await open(page, '/?type=perpetual&sort=-symbol');
  // Tick sizes have been checked: until then, no price in ticks is in USD.
  await expect(page.getByText('PSHBUNZ50: USD prices withheld.')).toBeVisible();
  const symbols = await textsOf(page, 'symbol');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(symbols);
  expect(lines[0]).toContain('settlement_usd,settlement_usd_wire');
  for (const line of lines.slice(1)) expect(line).toMatch(/GET \/api\/.*all-products/);
  expect(lines.find((line) => line.includes('PSHBUNZ50'))).toContain('The published tick size, ');
});
