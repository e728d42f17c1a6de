import { expect } from '@playwright/test';
import { readCsv } from '#testing/read-csv.ts';
import { takeExport } from './export-files.ts';
import { expectAccessible, inEachLook } from './looks.ts';
import { manageViews } from './orders-desk.ts';
import { test, grid, open, type OrdersPage, readAll, watchRequests, inColumn, scrollToEnd, hideNewest } from './history-page.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

test('an exchange filter is sent with the request and in the address, an account only on opt-in', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  const [order] = await readAll(page);
  await page.getByRole('textbox', { name: 'Product', exact: true }).fill('PBTCUCZ50');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.at(-1)?.get('symbol')).toBe('PBTCUCZ50');
  await expect.poll(async () => new Set(await inColumn(page, 'product'))).toEqual(new Set(['PBTCUCZ50']));
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill(order?.account_id ?? '');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.at(-1)?.get('account_id')).toBe(order?.account_id);
  await expect(page).toHaveURL(/PBTCUCZ50/);
  expect(page.url()).not.toContain(order?.account_id ?? '?');
  await manageViews(page);
  await page.getByRole('checkbox', { name: 'Show account, firm and connection codes in links' }).check();
  await expect(page).toHaveURL(new RegExp(order?.account_id ?? '?'));
});

test('the address restores the same query', async ({ page }) => {
  const requests = watchRequests(page);
  await page.goto('/orders/history?f=type:is:Option&from=2026-01-01&sort=time');
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const query = Object.fromEntries(requests[0] ?? []);
  expect(query).toMatchObject({ product_type: 'Option', begin_time: '2026-01-01T00:00:00Z', order: 'asc' });
  await expect(page.getByRole('radio', { name: 'Oldest first' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'From (UTC)' })).toHaveValue('2026-01-01');
});

/** Not a check for newer orders, which a slow test may outlast. */
function isPage(query: URLSearchParams): boolean {
  return query.get('order') === 'desc';
}

test('scrolling loads to the end, which says why, and requests no page twice', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  await scrollToEnd(page);
  const all = await readAll(page);
  await expect(page.getByText(`${all.length.toLocaleString('en')} loaded in`)).toBeVisible();
  const cursors = requests.filter(isPage).map((query) => query.get('cursor'));
  expect(new Set(cursors).size).toBe(cursors.length);
  await expect.poll(() => inColumn(page, 'id')).toContain(all.at(-1)?.id);
});

test('oldest first is requested by the sort order or by the heading of the time column', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  await page.getByRole('radio', { name: 'Oldest first' }).check();
  await expect.poll(() => requests.at(-1)?.get('order')).toBe('asc');
  const oldest = (await readAll(page, '&order=asc'))[0];
  await expect.poll(() => inColumn(page, 'id')).toContain(oldest?.id);
  await expect(page.locator('footer').getByText(/^up to /)).toBeVisible();
  await grid(page).getByRole('columnheader', { name: /^Accepted/ }).click();
  await expect.poll(() => requests.at(-1)?.get('order')).toBe('desc');
});

test('a filter of the page says how many rows it applies to', async ({ page }) => {
  await open(page);
  await page.getByRole('searchbox').fill('Bid');
  await expect(page.getByText('match the filter, of 500 in memory')).toBeVisible();
  await expect.poll(async () => new Set(await inColumn(page, 'side'))).toEqual(new Set(['Bid']));
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('match the filter, of 1,000 in memory')).toBeVisible();
});

test('newer orders are counted, and shown on request', async ({ page }) => {
  const newest = (await readAll(page)).slice(0, 12);
  const state = await hideNewest(page, newest);
  await page.clock.install();
  await open(page);
  expect(await inColumn(page, 'id')).not.toContain(newest[0]?.id);
  state.isEarlier = false;
  await page.clock.runFor(31_000);
  const pill = page.getByRole('button', { name: '12 newer' });
  await expect(pill).toBeVisible();
  expect(await inColumn(page, 'id')).not.toContain(newest[0]?.id);
  await pill.click();
  await expect.poll(() => inColumn(page, 'id')).toContain(newest[0]?.id);
  await expect(pill).toBeHidden();
});

test('a key shows newer orders, also with the focus in the list; without any, it sends no request', async ({ page }) => {
  const newest = (await readAll(page)).slice(0, 60);
  const state = await hideNewest(page, newest);
  await page.clock.install();
  await open(page);
  const requests = watchRequests(page);
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('w');
  state.isEarlier = false;
  await page.clock.runFor(31_000);
  await expect(page.getByRole('button', { name: '60 newer' })).toBeVisible();
  expect(requests).toHaveLength(1);
  await page.keyboard.press('w');
  await expect.poll(() => inColumn(page, 'id')).toContain(newest[0]?.id);
  await expect(page.getByRole('button', { name: '60 newer' })).toBeHidden();
});

test('a hidden page does not check for newer orders, and does as soon as it is visible', async ({ page }) => {
  await page.clock.install();
  await open(page);
  const requests = watchRequests(page);
  const turn = (isHidden: boolean): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await turn(true);
  await page.clock.runFor(95_000);
  expect(requests).toEqual([]);
  await turn(false);
  await expect.poll(() => requests.length).toBe(1);
});

test('a working order shows the time of its read; that it closed since is counted, and shown on request', async ({ page }) => {
  const [newest] = await readAll(page);
  let isEarlier = true;
  await page.route('**/api/orders?*', async (route) => {
    const response = await route.fetch();
    const { data, pagination } = (await response.json()) as OrdersPage;
    const status = isEarlier ? 'Working' : 'Closed';
    return route.fulfill({ response, json: { data: data.map((order) => (order.id === newest?.id ? { ...order, status, quantity_filled: 0 } : order)), pagination } });
  });
  await page.clock.install();
  await open(page);
  const first = grid(page).locator('[data-column="status"][role=gridcell]').first();
  await expect(first).toHaveText(/^Working at \d\d:\d\d$/);
  isEarlier = false;
  await page.clock.runFor(31_000);
  const pill = page.getByRole('button', { name: /^1 changed/ });
  await expect(pill).toBeVisible();
  await expect(first).toHaveText(/^Working/);
  await pill.click();
  await expect(first).toHaveText('Closed, unfilled');
  await expect(pill).toBeHidden();
});

test('oldest first, newer orders are checked for from the end on, and shown there', async ({ page }) => {
  const newest = (await readAll(page)).slice(0, 60);
  const state = await hideNewest(page, newest);
  await page.clock.install();
  await open(page, '?sort=time');
  await page.clock.runFor(31_000);
  await expect(page.getByText('Newest rows not loaded yet')).toBeVisible();
  await scrollToEnd(page);
  await expect(page.getByText(/^Newest rows/)).toBeVisible();
  state.isEarlier = false;
  await page.clock.runFor(31_000);
  await page.getByRole('button', { name: /^60\+? newer/ }).click();
  await expect.poll(() => inColumn(page, 'id')).toContain(newest[0]?.id);
  // A read after them would outlast the test.
  await expect(page.locator('footer').getByText(/^All orders loaded/)).toBeVisible();
});

test('loading to a date says beforehand what it costs, and loads that far', async ({ page }) => {
  await open(page);
  const all = await readAll(page);
  const until = String(all[1_200]?.['time']).slice(0, 10);
  await page.getByRole('button', { name: 'Load until…' }).click();
  await page.getByRole('textbox', { name: 'Load back to (UTC)' }).fill(until);
  const cost = await page.getByRole('dialog').getByText(/^About \d+ requests? for [\d,]+ orders/).innerText();
  const requests = watchRequests(page);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await expect(page.getByText('Already loaded to that date.').or(page.getByText(/^All orders are loaded/))).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  // One page was read before, and only those that reach that far are read now. Days with fewer orders cost less than estimated.
  const pages = requests.filter(isPage);
  expect(pages).toHaveLength(Math.floor(all.filter(({ time }) => String(time) >= until).length / 500));
  expect(pages.length).toBeLessThanOrEqual(Number(/\d+/.exec(cost)?.[0]) + 1);
});

test('an export holds every order of the exchange, with a report that says so', async ({ page }) => {
  await open(page);
  const all = await readAll(page);
  const files = await takeExport(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByText(/One request per 1,000 orders/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  });
  const [heading = [], ...rows] = readCsv(await files.read(files.csv));
  const cell = (row: readonly string[], name: string): string => (row[heading.indexOf(name)] ?? '').replace(/^'/, '');
  expect(rows.map((row) => [cell(row, 'id'), cell(row, 'time'), cell(row, 'price_ticks'), cell(row, 'status')])).toEqual(
    all.map((order) => [order.id, order['time'], String(order['price']), order['status']]),
  );
  expect(JSON.parse(await files.read(files.statement))).toMatchObject({ set: 'complete', exported_orders: all.length, orders_read: all.length, repeated_orders_left_out: 0 });
});

test('an export of a list that is loaded to its end sends no request, unless a reload is chosen', async ({ page }) => {
  await open(page);
  const all = await readAll(page);
  await scrollToEnd(page);
  const requests = watchRequests(page);
  for (const button of ['Export', 'Reload and export']) {
    const files = await takeExport(page, async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      await expect(page.getByText(/^No request: all [\d,]+ orders are loaded/)).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
    });
    const [, ...rows] = readCsv(await files.read(files.csv));
    expect(rows.map(([id = '']) => id.replace(/^'/, ''))).toEqual(all.map(({ id }) => id));
    const pages = requests.filter((query) => query.get('limit') === '1000').length;
    expect(pages > 0).toBe(button !== 'Export');
    expect(JSON.parse(await files.read(files.statement))).toMatchObject({ set: 'complete', exported_orders: all.length, requests: pages, ended_because: 'the next page is empty' });
  }
});

test('by keyboard alone: into the list, to its last row, to an order and back', async ({ page }) => {
  await open(page);
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('Control+End');
  await expect(page.getByText('1,000 loaded in')).toBeVisible();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
  await expect(grid(page).locator('[role=row][aria-current=true]')).toHaveAttribute('aria-rowindex', '2');
  await page.getByRole('complementary', { name: 'Order' }).getByRole('button', { name: 'Close' }).press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect(grid(page).locator('[aria-current]')).toHaveCount(0);
});

test('by keyboard alone: a new query, by `F` or by a column heading, keeps the focus in the list', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('f');
  await expect.poll(() => requests.at(-1)?.get('symbol')).toBeTruthy();
  await expect(grid(page)).toBeFocused();
  await grid(page).getByRole('columnheader', { name: /^Accepted/ }).click();
  await page.keyboard.press('Control+Home');
  await expect.poll(() => requests.at(-1)?.get('order')).toBe('asc');
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  const head = (): Promise<string> => grid(page).evaluate((element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.dataset['column'] ?? '');
  while ((await head()) !== 'time') await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.at(-1)?.get('order')).toBe('desc');
  await expect(grid(page)).toBeFocused();
});

test('the row count is set once it is known', async ({ page }) => {
  await open(page);
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '-1');
  await scrollToEnd(page);
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String((await readAll(page)).length + 1));
});

test('a copy says how many of the selected rows are missing', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press(' ');
  // Keys pressed before the grid's code has loaded run once it has, but a copy does not.
  await expect(grid(page).locator('[role=row][aria-selected=true]')).toHaveCount(1);
  const [side] = await inColumn(page, 'side');
  await page.getByRole('searchbox').fill(side === 'Bid' ? 'Ask' : 'Bid');
  await expect.poll(async () => (await inColumn(page, 'side')).includes(side ?? '')).toBe(false);
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press('Control+c');
  await expect(page.locator('footer')).toContainText('Copied 0 rows. The copy is INCOMPLETE: 1 selected row is not shown (filtered, in a closed group, gone or not loaded).');
});

test('totals say of how many orders the selected ones are, and whether these are all', async ({ page }) => {
  await open(page);
  const count = (await readAll(page)).length.toLocaleString('en');
  await page.getByRole('searchbox').press('ArrowDown');
  await page.keyboard.press(' ');
  const footer = page.locator('footer');
  await expect(footer).toContainText(/1 selected of the [\d,]+ loaded, more availableΣ selected/);
  await scrollToEnd(page);
  await expect(footer).toContainText(`1 selected of all ${count} ordersΣ selected`);
});

test('a product is requested by its id, and found by its name', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  const order = (await readAll(page)).find(({ symbol }) => symbol === 'PBTCUCZ50');
  await page.getByRole('textbox', { name: 'Product ID' }).fill('pbtcucz50');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.at(-1)?.get('product_id')).toBe(String(order?.['product_id']));
  await expect(page).toHaveURL(/product=\d+/);
  await expect.poll(async () => new Set(await inColumn(page, 'product'))).toEqual(new Set(['PBTCUCZ50']));
});

test('the list fits the width in every look and is accessible', async ({ page }) => {
  // A page that is opened on a phone has its filters folded, and leaves them so.
  for (const sizes of [[[360, 740]], [[1440, 900], [2560, 900]]] as const) {
    await page.setViewportSize({ width: sizes[0][0], height: sizes[0][1] });
    await open(page);
    await inEachLook(page, sizes, async (look) => {
      await expect.poll(() => page.getByRole('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await takeShot(page, `history-${look.colorScheme}-${String(look.width)}`);
      await expectAccessible(page, look);
    });
  }
});
