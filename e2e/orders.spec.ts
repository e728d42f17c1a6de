import { expect, type Page } from '@playwright/test';
import { copySelection } from './copy-selection.ts';
import { MISPRICED } from './listed-products.ts';
import { activeOrder, expectPriced, manageViews, openOrders, orderGrid, readWorking, test, textsInSight, toCount } from './orders-desk.ts';

test.use({ live: false });

async function scrollToLine(page: Page, line: number): Promise<void> {
  await orderGrid(page).evaluate((grid, at) => {
    const rowPx = grid.querySelector<HTMLElement>('[data-part=body] > [role=row]')?.offsetHeight ?? NaN;
    grid.scrollTop = at * rowPx;
  }, line);
  await expect(orderGrid(page).locator(`[role=row][aria-rowindex="${String(line + 8)}"]`)).toBeVisible();
}

/** The order that is first whole in sight, and where on the screen. */
function placeOfTop(page: Page): Promise<{ readonly id: string; readonly y: number } | undefined> {
  return orderGrid(page).evaluate((grid) => {
    const head = grid.querySelector('[data-part=head]')?.getBoundingClientRect().bottom ?? NaN;
    const rows = [...grid.querySelectorAll('[data-part=body] > [role=row]')].map((row) => ({ id: row.querySelector('[data-column=id]')?.textContent ?? '', y: row.getBoundingClientRect().y }));
    return rows.filter(({ y }) => y >= head).sort((a, b) => a.y - b.y)[0];
  });
}

test('every working order is listed, the list is complete, and its row count is exposed', async ({ page }) => {
  await openOrders(page);
  await expect(page.locator('footer')).toContainText('1,200 of 1,200 shown');
  await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible();
  await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', '1201');
  const { orders } = await readWorking(page);
  const newest = orders.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? 1 : -1));
  expect((await textsInSight(page, 'id')).slice(0, 10)).toEqual(newest.slice(0, 10).map(String));
});

test('by keyboard alone: found by typing, opened, explained, closed, and back where it was', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.type('PETHUIZ50 ask');
  await expect(page.locator('footer')).not.toContainText('1,200 of 1,200');
  await page.keyboard.press('Enter');
  await expect(orderGrid(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // The first keys may wait for the grid's code.
  await expect.poll(() => activeOrder(page)).toMatch(/^\d{19}$/);
  const id = await activeOrder(page);
  await page.keyboard.press('Enter');
  const beside = page.getByRole('complementary', { name: 'Order' });
  await expect(beside).toContainText(id);
  await expect(page).toHaveURL(new RegExp(`order=${id}`));
  await page.keyboard.press('i');
  const note = page.getByRole('dialog');
  await expect(note).toContainText('GET /api/desk/working');
  await page.keyboard.press('Escape');
  await expect(orderGrid(page)).toBeFocused();
  expect(await activeOrder(page)).toBe(id);
  await beside.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(beside).toBeHidden();
  await expect(orderGrid(page)).toBeFocused();
  expect(await activeOrder(page)).toBe(id);
});

test('by keyboard alone: sorted from the head, filtered by the value in focus, to the end and its row index', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=side/);
  await expect(orderGrid(page).getByRole('columnheader', { name: 'Side' })).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Control+End');
  await expect(orderGrid(page).locator('[role=row][aria-rowindex="1201"]')).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Side is Bid' })).toBeVisible();
  await expect.poll(async () => [...new Set((await textsInSight(page, 'side')).map((side) => side.trim()))]).toEqual(['Bid']);
  const { orders } = await readWorking(page);
  const bids = orders.filter(({ side }) => side === 'Bid').length;
  await expect(page.locator('footer')).toContainText(`${bids.toLocaleString('en')} of 1,200 shown`);
});

test('totals by side match the rows of the API', async ({ page }) => {
  await openOrders(page, '?f=product:is:PBTCUCZ50');
  const { orders } = await readWorking(page);
  for (const side of ['Bid', 'Ask']) {
    const rests = orders.filter((order) => order.symbol === 'PBTCUCZ50' && order.side === side);
    const sum = rests.reduce((total, { quantity_requested: asked, quantity_filled: filled }) => total + asked - filled, 0);
    await expect(page.locator('footer')).toContainText(`Σ ${side} ${sum.toLocaleString('en')}`);
  }
});

test('groups have totals, which add up to those of the footer', async ({ page }) => {
  await openOrders(page, '?f=side:is:Bid');
  await page.getByLabel('Group').selectOption('account');
  await expect(page).toHaveURL(/group=account/);
  const { orders } = await readWorking(page);
  const ofFirst = orders.filter(({ side, account_id: account }) => side === 'Bid' && account === [...new Set(orders.map(({ account_id: id }) => id))].sort()[0]);
  const first = orderGrid(page).locator('[role=row][aria-rowindex="2"]');
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await expect(first).toContainText(`${ofFirst[0]?.account_id ?? ''} · ${String(ofFirst.length)}`);
  const rests = ofFirst.reduce((total, { quantity_requested: asked, quantity_filled: filled }) => total + asked - filled, 0);
  await expect(first.locator('[data-column=remaining]')).toHaveText(rests.toLocaleString('en'));
  await page.getByLabel('Group').selectOption('firm');
  const firms = new Set(orders.filter(({ side }) => side === 'Bid').map(({ clearing_firm_code: firm }) => firm));
  for (const line of [...firms].keys()) await orderGrid(page).locator(`[role=row][aria-rowindex="${String(line + 2)}"] [data-column=side]`).click();
  await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', String(firms.size + 1));
  await expect.poll(() => textsInSight(page, 'remaining')).toHaveLength(firms.size);
  const groups = await textsInSight(page, 'remaining');
  const total = groups.reduce((sum, text) => sum + toCount(text), 0);
  await expect(page.locator('footer')).toContainText(`Σ Bid ${total.toLocaleString('en')} contracts of `);
});

test('scroll position and selection stay while a panel opens', async ({ page }) => {
  await openOrders(page);
  await expectPriced(page);
  await scrollToLine(page, 600);
  const before = await placeOfTop(page);
  await page.getByRole('button', { name: 'Depth', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Depth of your orders' })).toBeVisible();
  expect(await placeOfTop(page)).toEqual(before);
  const ids = await textsInSight(page, 'id');
  await orderGrid(page).getByRole('gridcell', { name: ids[12] ?? '', exact: true }).click();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(orderGrid(page).locator('[data-range][aria-selected=true]')).toHaveCount(2);
  await expect(page.locator('[aria-live=polite]')).toContainText('Selected 2 rows by 1 column.');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
  expect(await placeOfTop(page)).toEqual(before);
  await expect(orderGrid(page).locator('[data-range]')).toHaveCount(2);
});

test('depth opens at the spread, however far away the highest ask is', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const bids = new Set(orders.flatMap(({ side, symbol }) => (side === 'Bid' ? symbol : [])));
  const asks = Map.groupBy(orders.filter(({ side, symbol }) => side === 'Ask' && bids.has(symbol)), ({ symbol }) => symbol);
  const [symbol = ''] = [...asks].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  await page.getByRole('button', { name: 'Depth', exact: true }).click();
  await page.getByRole('combobox', { name: 'Product' }).selectOption(symbol);
  const levels = page.getByRole('region', { name: 'Price levels' });
  await expect(levels.getByRole('row', { name: 'Bid' }).first()).toBeInViewport({ ratio: 1 });
  await expect(levels.getByRole('row', { name: 'Ask' }).last()).toBeInViewport({ ratio: 1 });
  await expect(levels.getByRole('columnheader', { name: 'Working qty' })).toBeInViewport({ ratio: 1 });
  await expect(levels.getByRole('row', { name: /^Own gap/ })).toBeInViewport({ ratio: 1 });
  const heights = await levels.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect([...new Set(heights)]).toEqual([28]);
});

test('a group is folded where it stands', async ({ page }) => {
  await openOrders(page, '?group=account');
  await expectPriced(page);
  const accounts = (await readWorking(page)).orders.map(({ account_id: account }) => account).sort();
  const second = accounts.find((account) => account !== accounts[0]) ?? '';
  await scrollToLine(page, accounts.indexOf(second) - 8);
  const group = orderGrid(page).locator('[role=row][aria-expanded]', { hasText: second });
  const before = await group.boundingBox();
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  expect(await group.boundingBox()).toEqual(before);
});

test('a line of a group is cut off nowhere, whatever the line before it in its place was', async ({ page }) => {
  await openOrders(page, '?cols=id,price&group=account');
  const groups = orderGrid(page).locator('[role=row][aria-expanded]');
  await orderGrid(page).focus();
  // Narrower than an id: the cells of orders are cut off.
  for (const key of ['ArrowUp', 'Alt+ArrowLeft', 'Alt+ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
  for (let seen = 0; seen < 5; seen += await groups.count()) {
    await page.keyboard.press('PageDown');
    await expect(groups.locator('[data-long]')).toHaveCount(0);
  }
  await expect(orderGrid(page).locator('[role=row]:not([aria-expanded]) > [data-long]').first()).toBeAttached();
});

test('a finger that taps the line of a group closes and opens it; one that scrolls from there does not', async ({ page }) => {
  await openOrders(page, '?group=side');
  await expectPriced(page);
  const first = orderGrid(page).locator('[role=row][aria-rowindex="2"]');
  const box = await first.boundingBox();
  const at = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 10 };
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) => protocol.send('Input.dispatchTouchEvent', { type, touchPoints });
  for (const expanded of ['false', 'true']) {
    await touch('touchStart', at);
    await touch('touchEnd');
    await expect(first).toHaveAttribute('aria-expanded', expanded);
  }
  await touch('touchStart', at);
  for (let moved = 0; moved <= 80; moved += 10) await touch('touchMove', { x: at.x, y: at.y - moved });
  await touch('touchEnd');
  await expect.poll(() => orderGrid(page).evaluate((grid) => grid.scrollTop)).toBeGreaterThan(0);
  await page.keyboard.press('Control+Home');
  await expect(first).toHaveAttribute('aria-expanded', 'true');
});

test('if the tick size check fails, no USD is shown, and the reason is given', async ({ page }) => {
  await openOrders(page, '?f=product:is:PSHBUNZ50');
  const prices = await textsInSight(page, 'price');
  expect(prices.length).toBeGreaterThan(0);
  await expect.poll(async () => [...new Set(await textsInSight(page, 'price'))]).toEqual(['n/a']);
  await expect(page.locator('footer')).toContainText(/Σ (Bid|Ask) [\d,]+ contracts · gross notional – USD \(\d+ orders? without USD value\)/);
  // Until the check is done, prices are withheld for that reason. A tooltip has the one of when it was opened.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await orderGrid(page).locator('[data-column=price]').nth(1).click();
    await expect(page.getByRole('dialog')).toContainText(/published tick size, [\d.]+ USD, or contract size, [\d,.]+, looks wrong: together they imply about [\d,]+ times the exchange’s own USD values/, { timeout: 1_000 });
  }).toPass();
});

test('a link shows the same list elsewhere, and names no account without opt-in', async ({ page, context }) => {
  await openOrders(page, '?sort=-notional');
  const account = (await readWorking(page)).orders[0]?.account_id ?? '';
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Column').selectOption('account');
  await dialog.getByRole('checkbox', { name: account }).check();
  await dialog.getByLabel('Column').selectOption('side');
  await dialog.getByRole('checkbox', { name: 'Ask' }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/f=side%3Ais%3AAsk/);
  expect(page.url()).not.toContain(account);
  await page.reload();
  await expect(page.getByRole('button', { name: `Account is ${account}` })).toBeVisible();
  await manageViews(page);
  await page.getByRole('checkbox', { name: /in links/ }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => decodeURIComponent(page.url())).toContain(`account:is:${account}`);
  const other = await context.newPage();
  await openOrders(other, new URL(page.url()).search);
  // Sorting by notional settles once prices in ticks are converted to USD.
  for (const each of [page, other]) await expectPriced(each);
  await expect.poll(async () => (await textsInSight(other, 'id')).join()).toBe((await textsInSight(page, 'id')).join());
  await expect(other.getByRole('button', { name: `Account is ${account}` })).toBeVisible();
});

test('a filter and a view that name an account stay out of the address after its last order has left', async ({ page }) => {
  await openOrders(page);
  const account = (await readWorking(page)).orders[0]?.account_id ?? '';
  await page.getByRole('searchbox').fill(account);
  await manageViews(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(account);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog.getByRole('button', { name: account, exact: true })).toHaveAttribute('aria-current', 'true');
  expect(page.url()).not.toContain(account);
  await page.route('**/api/desk/working*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Awaited<ReturnType<typeof readWorking>>;
    await route.fulfill({ response, json: { ...answer, orders: answer.orders.filter(({ account_id: of }) => of !== account) } });
  });
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue(account);
  await expect(page.locator('footer')).toContainText(/^0 of [\d,]+ shown/);
  await page.getByLabel('Group').selectOption('side');
  await expect(page).toHaveURL(/group=side/);
  expect(page.url()).not.toContain(account);
});

test('in the filter dialog a search keeps selected values, and a cleared bound stays cleared', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const [first = '', second = ''] = [...new Set(orders.map(({ account_id: account }) => account))].sort();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Column').selectOption('account');
  await dialog.getByRole('checkbox', { name: first }).check();
  await dialog.getByLabel('Search', { exact: true }).fill(second.toLowerCase());
  await dialog.getByRole('checkbox', { name: second }).check();
  await expect(page.getByRole('list', { name: 'Filters', includeHidden: true })).toContainText(`Account is ${first} or ${second}`);
  await dialog.getByRole('button', { name: `Contains “${second.toLowerCase()}”` }).click();
  await expect(page.getByRole('list', { name: 'Filters', includeHidden: true })).toContainText(`Account contains ${second.toLowerCase()}`);
  await dialog.getByLabel('Column').selectOption('remaining');
  await dialog.getByLabel('At least').fill('5');
  await dialog.getByRole('button', { name: 'Clear filter' }).click();
  await expect(dialog.getByLabel('At least')).toHaveValue('');
  await dialog.getByLabel('At most').fill('7');
  await expect(page.getByRole('list', { name: 'Filters', includeHidden: true })).toContainText('Working qty at most 7');
});

test('the focus stays with the filters as they are removed, and moves to the list with the last', async ({ page }) => {
  await openOrders(page, '?f=side:is:Bid&f=account:has:a&f=remaining:between:1~');
  const chips = page.getByRole('list', { name: 'Filters' }).getByRole('button');
  await chips.nth(1).press('Enter');
  await expect(chips).toHaveCount(2);
  await expect(chips.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chips).toHaveCount(1);
  await expect(chips).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chips).toHaveCount(0);
  await expect(orderGrid(page)).toBeFocused();
});

for (const [prices, sign] of [
  ['above zero', 1],
  // A spread of futures whose later month is the dearer one.
  ['below zero', -1],
] as const) {
  test(`opening a neighbour moves the focus to its heading, at prices ${prices}`, async ({ page }) => {
    await openOrders(page);
    const symbol = (await readWorking(page)).orders.find(({ price, symbol: of }) => Math.sign(Number(price)) === sign && of !== MISPRICED)?.symbol ?? '';
    expect(symbol).not.toBe('');
    await page.keyboard.press('/');
    await page.keyboard.type(symbol);
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
    const beside = page.getByRole('complementary', { name: 'Order' });
    const first = beside.locator('dd').getByRole('button', { name: / at / }).first();
    // Its price is known once the tick sizes are.
    await expect(first).toContainText(/ at −?[\d,.]+$/);
    const text = await first.innerText();
    // By its text: a trade may put another order first meanwhile.
    await beside.getByRole('button', { name: text, exact: true }).first().press('Enter');
    const heading = beside.getByRole('heading', { level: 3 }).first();
    await expect(heading).toBeFocused();
    await expect(heading).toContainText(text.replace(/^(Bid|Ask) [\d,]+ /, ''));
  });
}

test('the column layout is kept until it is reset', async ({ page }) => {
  await openOrders(page);
  await orderGrid(page).focus();
  await page.keyboard.press('ArrowUp');
  const head = orderGrid(page).getByRole('columnheader', { name: 'Side' });
  const widthOf = async (): Promise<number> => (await head.boundingBox())?.width ?? 0;
  const before = await widthOf();
  await page.keyboard.press('Alt+ArrowRight');
  // The first keys may wait for the grid's code.
  await expect.poll(widthOf).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Product type' }).uncheck();
  await page.keyboard.press('Escape');
  const after = await widthOf();
  expect(after).toBeGreaterThan(before);
  await expect(page).toHaveURL(/cols=side/);
  await openOrders(page);
  await expect.poll(widthOf).toBe(after);
  await expect(orderGrid(page).getByRole('columnheader', { name: 'Product type' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(widthOf).toBe(before);
  await expect(orderGrid(page).getByRole('columnheader', { name: 'Product type' })).toBeVisible();
});

test('a copy says what it holds, and how many selected orders are not shown', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openOrders(page);
  // Paused, so that no order joins, leaves or moves between two keys.
  for (const key of ['p', '/', 'Enter', 'Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
  await copySelection(page);
  await expect(page.locator('footer')).toContainText('Copied 3 rows.');
  const id = await activeOrder(page);
  await page.getByRole('searchbox').fill(id);
  await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', '2');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+c');
  const message = 'Copied 1 row. The copy is INCOMPLETE: 2 selected rows are not shown (filtered, in a closed group, gone or not loaded).';
  await expect(page.locator('footer')).toContainText(message);
  await expect(page.locator('[aria-live=polite]')).toContainText(message);
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toHaveLength(2);
});

test('the command palette sorts by a column and filters by an account, whose code stays out of the address', async ({ page }) => {
  await page.goto('/orders');
  const grid = page.getByRole('grid', { name: 'Working orders' });
  const account = (await grid.getByRole('gridcell').and(grid.locator('[data-column="account"]')).first().textContent()) ?? '';
  await page.keyboard.press('Control+k');
  await page.keyboard.type('working notional');
  await page.getByRole('option', { name: 'Sort by this column' }).first().click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(grid.locator('[role="columnheader"][data-column="notional"]')).toHaveAttribute('aria-sort', /ascending|descending/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(account);
  await page.getByRole('option', { name: 'Show only this account' }).click();
  await expect(grid.getByRole('gridcell').and(grid.locator('[data-column="account"]')).filter({ hasNotText: account })).toHaveCount(0);
  await expect(grid.getByRole('gridcell').and(grid.locator('[data-column="account"]')).first()).toHaveText(account);
  expect(page.url()).not.toContain(account);
});
