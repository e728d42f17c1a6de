import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, inEachLook } from './looks.ts';
import { openOrders, orderGrid, readWorking, test, textsInSight, toCount } from './orders-desk.ts';

test.use({ live: false });

const HOUR_MS = 3_600_000;

function chips(page: Page): Locator {
  return page.getByRole('list', { name: 'Filters', includeHidden: true });
}

async function openFilter(page: Page, column: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Column').selectOption(column);
  return dialog;
}

function shownCount(page: Page): Promise<number> {
  return page.locator('footer b').first().textContent().then(toCount);
}

function addressFilters(page: Page): readonly string[] {
  return new URL(page.url()).searchParams.getAll('f');
}

async function countOlder(page: Page, milliseconds: number): Promise<number> {
  const { orders } = await readWorking(page);
  return orders.filter(({ time }) => Date.parse(String(time)) < Date.now() - milliseconds).length;
}

test('times are filtered by a range that may count back from now, never by a list of instants', async ({ page }) => {
  await openOrders(page);
  const dialog = await openFilter(page, 'time');
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'More than 1 hour ago' }).click();
  await expect(chips(page)).toContainText('Accepted more than 1 h ago');
  await expect.poll(() => addressFilters(page)).toEqual(['time:within:~1 h ago']);
  await expect.poll(async () => (await shownCount(page)) - (await countOlder(page, HOUR_MS))).toBe(0);
  await expect(dialog).toContainText(/Accepted more than 1 h ago: [\d,]+ of [\d,]+ working orders/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Accepted more than 1 h ago' })).toBeVisible();
});

test('a time is written as people do; what is no time changes nothing and says so', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const times = orders.map(({ time }) => String(time)).sort();
  const day = times[Math.floor(times.length / 2)]?.slice(0, 10) ?? '';
  const dialog = await openFilter(page, 'time');
  await dialog.getByLabel('To', { exact: true }).fill('soon');
  await expect(dialog.getByText('Not a time')).toBeVisible();
  expect(addressFilters(page)).toEqual([]);
  await dialog.getByLabel('To', { exact: true }).fill(day);
  await expect(dialog.getByText('Not a time')).toBeHidden();
  await expect(chips(page)).toContainText(`Accepted up to ${day} (UTC)`);
  await expect.poll(() => shownCount(page)).toBe(times.filter((time) => time.slice(0, 10) <= day).length);
  await dialog.getByLabel('From', { exact: true }).fill('2 weeks');
  await expect(chips(page)).toContainText(`Accepted from 2 w ago to ${day} (UTC)`);
  await dialog.getByRole('button', { name: 'Clear filter' }).click();
  await expect(dialog.getByLabel('To', { exact: true })).toHaveValue('');
});

test('ids are searched by a part, by their beginning, or by several whole ones', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const ids = orders.map(({ id }) => id);
  const prefix = ids[0]?.slice(0, -2) ?? '';
  const dialog = await openFilter(page, 'id');
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await dialog.getByLabel('Digits').fill(prefix);
  await dialog.getByRole('radio', { name: 'Starts with' }).check();
  await expect(chips(page)).toContainText(`Order ID starts with ${prefix}`);
  await expect.poll(() => shownCount(page)).toBe(ids.filter((id) => id.startsWith(prefix)).length);
  await dialog.getByRole('radio', { name: 'Is', exact: true }).check();
  await dialog.getByLabel(/^IDs/).fill(`${ids[3] ?? ''}, ${ids[5] ?? ''}`);
  await expect.poll(() => shownCount(page)).toBe(2);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect((await textsInSight(page, 'id')).toSorted()).toEqual([ids[3], ids[5]].toSorted());
});

test('filters of numbers say what values there are', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const rest = orders.map(({ quantity_requested: asked, quantity_filled: filled }) => asked - filled);
  const dialog = await openFilter(page, 'remaining');
  await expect(dialog).toContainText(`Values are between ${Math.min(...rest).toLocaleString('en')} and ${Math.max(...rest).toLocaleString('en')}.`);
  await dialog.getByLabel('At least').fill('5');
  await expect(dialog).toContainText(`Working qty at least 5: ${rest.filter((quantity) => quantity >= 5).length.toLocaleString('en')} of 1,200 working orders`);
});

test('a long list of values is searched; those selected come first, also when no order has them any more', async ({ page }) => {
  const { orders } = await readWorking(page);
  const symbols = Map.groupBy(orders, ({ symbol }) => symbol);
  const [rarest = ''] = [...symbols].sort(([, a], [, b]) => a.length - b.length)[0] ?? [];
  await openOrders(page, `?f=product:is:NOSUCH~${rarest}`);
  const dialog = await openFilter(page, 'product');
  // On the weekend after a quarterly expiry nobody has orders in the new products, and all values fit.
  const values = symbols.size + 1;
  await expect(dialog.getByRole('checkbox')).toHaveCount(Math.min(50, values));
  await expect(dialog.getByText(/\d+ more: search to find them/)).toHaveCount(values > 50 ? 1 : 0);
  await expect(dialog.getByRole('checkbox').nth(0)).toHaveAccessibleName(/^NOSUCH 0$/);
  await expect(dialog.getByRole('checkbox').nth(1)).toHaveAccessibleName(new RegExp(`^${rarest}`));
  await dialog.getByLabel('Search', { exact: true }).fill('no such product');
  await expect(dialog.getByText('No value contains “no such product”.')).toBeVisible();
});

test('links by a part of a time, or by one instant, still filter, and say so', async ({ page }) => {
  const [first] = (await readWorking(page)).orders;
  const time = String(first?.['time']);
  await openOrders(page, `?f=time:is:${time}&f=lastModified:has:T`);
  await expect.poll(() => shownCount(page)).toBe(1);
  const dialog = await openFilter(page, 'time');
  await expect(dialog).toContainText(`Accepted is ${time}: 1 of`);
});

/** The two oldest orders are the same but for their ids. */
async function doubleOldest(page: Page): Promise<readonly string[]> {
  const inOrder = (orders: Awaited<ReturnType<typeof readWorking>>['orders']) => orders.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  await page.route('**/api/desk/working*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Awaited<ReturnType<typeof readWorking>>;
    const [first, second, ...others] = inOrder(answer.orders);
    await route.fulfill({ response, json: { ...answer, orders: [first, { ...first, id: second?.id }, ...others] } });
  });
  return inOrder((await readWorking(page)).orders).slice(0, 2).map(({ id }) => id);
}

test('quick filters say how many orders each finds, and are filters of the address', async ({ page }) => {
  await doubleOldest(page);
  await openOrders(page);
  await page.getByRole('button', { name: 'Quick filters' }).click();
  const dialog = page.getByRole('dialog');
  for (const [name, filter, chip] of [
    ['20 % or more away', 'distance:between:20~', 'Distance at least 20 %'],
    ['Accepted more than 1 week ago', 'time:within:~1 w ago', 'Accepted more than 1 w ago'],
    ['Underlying notional 1,000,000 USD or more', 'underlying:between:1000000~', 'Underlying notional at least 1,000,000 USD'],
    ['Same account, product, side and price', 'duplicates:between:1~', 'Duplicates at least 1'],
  ] as const) {
    const button = dialog.getByRole('button', { name });
    await expect(button).toHaveText(/\d$/);
    await button.press('Enter');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => addressFilters(page)).toEqual([filter]);
    await expect(chips(page)).toHaveText(new RegExp(`^${chip}`));
    // An order may leave between the two.
    await expect.poll(async () => (await shownCount(page)) - toCount((await button.locator('span').last().textContent()) ?? '')).toBe(0);
    await button.press('Enter');
    await expect.poll(() => addressFilters(page)).toEqual([]);
  }
});

test('of orders sent twice, both are found, and each says so', async ({ page }) => {
  const ids = await doubleOldest(page);
  await openOrders(page, '?f=duplicates:between:1~&sort=time&cols=side,product,account,price,duplicates,id');
  await expect.poll(() => textsInSight(page, 'id')).toEqual(expect.arrayContaining([...ids]));
  expect((await textsInSight(page, 'duplicates')).every((count) => Number(count) >= 1)).toBe(true);
  await orderGrid(page).locator('[role=gridcell][data-column=duplicates]').first().click();
  await expect(page.getByRole('dialog')).toContainText('with the same product, side and price');
});

test('a quick filter without matches leaves an empty list, and the way back', async ({ page }) => {
  await page.goto('/orders?f=underlying:between:1000000000000000~');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(orderGrid(page)).toBeVisible();
});

test('quick filters are commands of the palette', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('duplicates same account');
  await page.getByRole('option', { name: /Possible duplicates: Same account/ }).click();
  await expect(page).toHaveURL(/duplicates/);
});

test('filters of times and ids are accessible, also while a text is no time', async ({ page }) => {
  test.setTimeout(90_000);
  await openOrders(page, '?q=PSHBUNZ50+NORD&f=time:within:~1 min ago');
  const dialog = await openFilter(page, 'time');
  await dialog.getByLabel('From', { exact: true }).fill('soon');
  await expect(dialog.getByText('Not a time')).toBeVisible();
  await inEachLook(page, [[1280, 720]], (look) => expectAccessible(page, look));
  await dialog.getByLabel('Column').selectOption('id');
  await inEachLook(page, [[1280, 720]], (look) => expectAccessible(page, look));
});

for (const [width, height] of [[390, 844], [360, 740]] as const) {
  test(`at ${width} × ${height} the list begins in the first half of the screen, with whole quantities`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openOrders(page);
    const box = await orderGrid(page).boundingBox();
    expect(box?.y).toBeLessThan(height / 2);
    await expect(orderGrid(page).getByRole('columnheader', { name: /^Working qty/ })).toBeInViewport({ ratio: 1 });
    await expect(orderGrid(page).locator('[role=gridcell][data-column=remaining]').first()).toBeInViewport({ ratio: 1 });
    await expect(orderGrid(page).locator('[data-column=remaining][data-long]')).toHaveCount(0);
    const tools = page.getByRole('button', { name: 'Tools' });
    await tools.press('Enter');
    await expect(tools).toHaveAttribute('aria-expanded', 'true');
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
  });
}
