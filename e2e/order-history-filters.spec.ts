import { expect, type Page } from '@playwright/test';
import { grid, inColumn, open, readAll, test, watchRequests, type OrdersPage } from './history-page.ts';
import { readPerpetualIds } from './listed-products.ts';

test.use({ live: false });

function typesInSight(page: Page): Promise<readonly string[]> {
  return inColumn(page, 'type').then((types) => [...new Set(types)].toSorted());
}

/** Which kinds are at the top depends on the hour, so that each is searched for in the first page. */
async function expectBothKinds(page: Page): Promise<void> {
  const perpetuals = await readPerpetualIds(page);
  const { data } = (await (await page.request.get('/api/orders?limit=500&product_type=Future')).json()) as OrdersPage;
  for (const type of ['Future', 'Perpetual']) {
    const order = data.find(({ product_id: id }) => perpetuals.has(Number(id)) === (type === 'Perpetual'));
    await page.getByRole('searchbox').fill(order?.symbol ?? `no ${type}`);
    await expect.poll(() => typesInSight(page)).toEqual([type]);
  }
}

test('perpetuals are called so, and can be filtered by: the exchange returns futures, the page narrows them', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  const perpetuals = await readPerpetualIds(page);
  const all = await readAll(page);
  const wanted = all.filter((order) => perpetuals.has(Number(order['product_id'])));
  expect(wanted.length).toBeGreaterThan(0);
  await page.getByLabel('Product type').selectOption('Perpetual');
  await expect.poll(() => requests.at(-1)?.get('product_type')).toBe('Future');
  await expect.poll(() => typesInSight(page)).toEqual(['Perpetual']);
  await expect(page.locator('footer')).toContainText('match the filter, of');
  await expect(page.getByRole('list', { name: 'Loaded orders only' }).getByRole('button', { name: 'Product type is Perpetual' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Product type')).toHaveValue('Perpetual');
  await expect.poll(() => typesInSight(page)).toEqual(['Perpetual']);
  await page.getByLabel('Product type').selectOption({ label: 'Future' });
  await expect.poll(() => typesInSight(page)).toEqual(['Future']);
  await page.getByLabel('Product type').selectOption({ label: 'Future or perpetual' });
  await expect(page.locator('footer')).not.toContainText('match the filter');
  await expectBothKinds(page);
});

test('a link of the time when perpetuals were listed as Future still lists them', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page, '?f=type:is:Future');
  expect(requests.at(-1)?.get('product_type')).toBe('Future');
  await expectBothKinds(page);
  await expect(page.getByRole('list', { name: 'Filtered by the exchange' }).getByRole('button')).toHaveCount(1);
});

test('controls say whether the exchange filters, or the page filters what is loaded', async ({ page }) => {
  await open(page, '?f=product:is:PBTCUCZ50&f=side:is:Bid');
  await expect(page.getByText('Filtered by the exchange').first()).toBeVisible();
  const ofPage = page.getByRole('group', { name: 'Filters of loaded orders' });
  await expect(ofPage.getByRole('searchbox', { name: 'Filter loaded orders by any text in a row' })).toHaveAttribute('placeholder', 'Filter loaded orders');
  await expect(page.getByRole('list', { name: 'Filtered by the exchange' })).toContainText('Product is PBTCUCZ50');
  await expect(page.getByRole('list', { name: 'Loaded orders only' })).toContainText('Side is Bid');
  await ofPage.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Filtered by the exchange.');
  await expect(dialog).toContainText(/Product is PBTCUCZ50: (\d+) of \1 loaded orders/);
  await dialog.getByLabel('Column').selectOption('side');
  await expect(dialog).toContainText('Applies to loaded orders only.');
});

test('a range may count back from now: it is resolved once, and the address keeps it as written', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  const before = Date.now();
  await page.getByRole('textbox', { name: 'From (UTC)' }).fill('3 weeks');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.at(-1)?.get('begin_time') ?? null).not.toBeNull();
  const from = Date.parse(requests.at(-1)?.get('begin_time') ?? '');
  expect(Math.abs(before - 21 * 86_400_000 - from)).toBeLessThan(60_000);
  await expect(page).toHaveURL(/from=3\+weeks/);
  const sent = requests.length;
  await page.getByRole('searchbox').fill('Bid');
  await expect.poll(async () => new Set(await inColumn(page, 'side'))).toEqual(new Set(['Bid']));
  expect(requests.slice(sent).filter((query) => query.get('begin_time') !== requests[sent - 1]?.get('begin_time'))).toEqual([]);
});

for (const [width, height] of [[390, 844], [360, 740]] as const) {
  test(`at ${width} × ${height} the list begins in the first half of the screen, with whole quantities`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page);
    expect((await grid(page).boundingBox())?.y).toBeLessThan(height / 2);
    await expect(grid(page).getByRole('columnheader', { name: 'Filled / qty' })).toBeInViewport({ ratio: 1 });
    await expect(grid(page).locator('[role=gridcell][data-column=filled]').first()).toBeInViewport({ ratio: 1 });
  });
}

test('an order that another filter of the exchange leaves out is closed; a link to one that is not loaded stays, and says so', async ({ page }) => {
  await open(page);
  const [all, panel] = [await readAll(page), page.getByRole('complementary', { name: 'Order' })];
  const symbols = [...new Set(all.map(({ symbol }) => symbol))];
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { level: 3 }).first()).toBeVisible();
  const heading = await panel.getByRole('heading', { level: 3 }).first().innerText();
  const other = symbols.find((symbol) => !heading.includes(symbol)) ?? '';
  const product = page.getByRole('textbox', { name: 'Product', exact: true });
  await product.fill(other);
  await product.press('Enter');
  await expect(panel).toHaveCount(0);
  await expect(page).not.toHaveURL(/order=/);
  await page.goto('/orders/history?order=1');
  await expect(panel).toContainText('Order 1 is not among the orders loaded.');
});

test('orders near an order have the quantity they were sent with, also when filled', async ({ page }) => {
  await open(page);
  const filled = (await readAll(page)).find((order) => order['status'] === 'Closed' && order['quantity_filled'] === order['quantity_requested']);
  await page.goto(`/orders/history?product=${String(filled?.['product_id'])}&order=${String(filled?.['id'])}`);
  const near = page.getByRole('complementary', { name: 'Order' }).getByRole('button', { name: /^(Bid|Ask) / });
  await expect(near.first()).toBeVisible();
  for (const text of await near.allInnerTexts()) expect(text).toMatch(/^(Bid|Ask) [1-9]/);
});
