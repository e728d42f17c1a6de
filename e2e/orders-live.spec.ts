import { expect, type Page } from '@playwright/test';
import { activeOrder, expectPriced, openOrders, orderGrid, textsInSight, toCount, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

/** In this busy market, each second of the test is a minute. */
const test = withDesk(['--working', '300', '--live', 'on', '--speed', '60']);

const UPDATE_MS = 25_000;

// The tests run in one worker, because a second one would start the same servers again.
test.describe.configure({ mode: 'default' });
test.setTimeout(60_000);

function pill(page: Page, name: 'pending' | 'new change') {
  return page.getByRole('button', { name: new RegExp(`^[\\d,]+ ${name}`) });
}

async function untilSome(page: Page, name: 'pending' | 'new change'): Promise<void> {
  await expect
    .poll(async () => toCount(await pill(page, name).textContent()), { timeout: UPDATE_MS })
    .toBeGreaterThan(0);
}

async function pause(page: Page): Promise<void> {
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: /^Paused/ })).toHaveAttribute('aria-pressed', 'true');
}

test('changes are marked until they are marked as seen', async ({ page }) => {
  await openOrders(page);
  await untilSome(page, 'new change');
  await expect(orderGrid(page).locator('[data-mark]').first()).toBeVisible();
  await pause(page);
  await page.keyboard.press('u');
  await expect(pill(page, 'new change')).toHaveText(/^0 new changes/);
  await expect(orderGrid(page).locator('[data-mark]')).toHaveCount(0);
});

function goneRows(page: Page) {
  return orderGrid(page).locator('[role=row][data-mark=gone]');
}

test('an order that is no longer working stays, marked and uncounted, says how it closed, and leads to the history', async ({
  page,
}) => {
  await openOrders(page);
  await expect(goneRows(page).first()).toBeVisible({ timeout: UPDATE_MS });
  await expect(page.locator('footer')).toContainText(/shown, [\d,]+ no longer working/);
  const id = (await goneRows(page).first().locator('[data-column=id]').textContent()) ?? '';
  // The order is alone in the list, so that it is in sight.
  await page.getByRole('searchbox').fill(id);
  await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', '2');
  const row = goneRows(page).filter({ hasText: id });
  await row.locator('[data-column=side]').dblclick();
  await page.mouse.move(2, 2);
  const beside = page.getByRole('complementary', { name: 'Order' });
  await expect(beside).toContainText(
    /^OrderClose(Bid|Ask) .*(Filled|Closed, unfilled|Closed, partially filled) The order is no longer working/,
    { timeout: UPDATE_MS },
  );
  await expect(row.locator('[data-column=status]')).toHaveText(/^(Filled|Closed, unfilled|Closed, partially filled)$/);
  await beside.getByRole('link', { name: 'Open in order history' }).click();
  await expect(page).toHaveURL(new RegExp(`/orders/history\\?.*order=${id}`));
  await expect(
    page.getByRole('grid', { name: 'Order history' }).getByRole('row').filter({ hasText: id }),
  ).toBeVisible();
});

test('the details follow the cursor, by key and by pointer', async ({ page }) => {
  // These are the orders of all perpetuals, because one alone may have too few to move through.
  await openOrders(page, '?q=Z50');
  await pause(page);
  await orderGrid(page).getByRole('row').nth(3).locator('[data-column=side]').dblclick();
  const beside = page.getByRole('complementary', { name: 'Order' });
  await expect(beside).toBeVisible();
  const follows = async (): Promise<boolean> => (await beside.innerText()).includes(await activeOrder(page));
  for (let step = 0; step < 3; step += 1) {
    const before = await activeOrder(page);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => activeOrder(page)).not.toBe(before);
    await expect.poll(follows).toBe(true);
  }
  await orderGrid(page).getByRole('row').nth(2).locator('[data-column=side]').click();
  await expect.poll(follows).toBe(true);
  await expect(orderGrid(page)).toBeFocused();
});

test('the order in the panel stays marked in the list, also while others arrive and the list has no focus', async ({
  page,
}) => {
  // Sorting oldest first keeps arriving orders from pushing it out of sight.
  await openOrders(page, '?sort=time');
  const [, , id = ''] = await textsInSight(page, 'id');
  const row = orderGrid(page).getByRole('row').filter({ hasText: id });
  await row.locator('[data-column=side]').dblclick();
  await page.getByRole('complementary', { name: 'Order' }).getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(0, 0);
  await untilSome(page, 'new change');
  await expect(orderGrid(page).locator('[role=row][aria-current=true]')).toHaveCount(1);
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(row).toHaveAttribute('aria-selected', 'false');
  const ground = await orderGrid(page)
    .locator('[role=row]:not([aria-current]) > [data-column=product]')
    .last()
    .evaluate((cell) => getComputedStyle(cell).backgroundColor);
  await expect(row.locator('[data-column=product]')).not.toHaveCSS('background-color', ground);
  await page.keyboard.press('Enter');
  await expect(orderGrid(page).locator('[aria-current]')).toHaveCount(0);
});

test('while paused nothing moves, pending updates are counted, and resuming shows them', async ({ page }) => {
  await openOrders(page);
  await pause(page);
  const before = await textsInSight(page, 'id');
  await untilSome(page, 'pending');
  await expect(page.locator('footer')).toContainText(/[\d,]+ pending/);
  expect(await textsInSight(page, 'id')).toEqual(before);
  await takeShot(page, 'orders-pending-light-1280');
  await page.keyboard.press('w');
  await expect(pill(page, 'pending')).toHaveText(/^0 pending/);
  await page.keyboard.press('p');
  await untilSome(page, 'new change');
});

test.describe('by responses of the page’s own', () => {
  test.use({ live: false });

  test('the list keeps its place at every width while orders close and updates are pending', async ({ page }) => {
    // No order closes until the list is measured, however long that takes.
    const { promise: measured, resolve } = Promise.withResolvers<undefined>();
    let reads = 0;
    await page.route('**/api/desk/working', async (route) => {
      reads += 1;
      if (reads > 1) await measured;
      await route.continue();
    });
    await openOrders(page);
    await expectPriced(page);
    // Elements follow a new width a frame later, so a measurement counts once a second one agrees.
    let before = await placesOfList(page);
    await expect
      .poll(async () => {
        const last = before;
        before = await placesOfList(page);
        return before.join() === last.join();
      })
      .toBe(true);
    await pause(page);
    resolve(undefined);
    await untilSome(page, 'pending');
    await expect.poll(() => placesOfList(page)).toEqual(before);
    await page.keyboard.press('p');
    await expect(goneRows(page).first()).toBeVisible({ timeout: UPDATE_MS });
    await expect.poll(() => placesOfList(page)).toEqual(before);
  });
});

/**
 * Returns where the list begins below the header, and the height of the footer without the totals. The amounts in the
 * totals grow and shrink, and the header says how far this exchange's clock, which runs fast, is ahead.
 */
async function placesOfList(page: Page): Promise<readonly (readonly number[])[]> {
  const places: number[][] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const [main, list] = [await page.getByRole('main').boundingBox(), await orderGrid(page).boundingBox()];
    const lines = await page.locator('footer').evaluate((footer) => {
      const totals = [...footer.children].filter(
        ({ tagName, textContent }) => tagName === 'DETAILS' || textContent.startsWith('Σ'),
      );
      return footer.clientHeight - totals.reduce((sum, { clientHeight }) => sum + clientHeight, 0);
    });
    places.push([width, (list?.y ?? Number.NaN) - (main?.y ?? Number.NaN), lines]);
  }
  return places;
}

const WIDTHS = [320, 360, 390, 480, 560, 640, 680, 720, 768, 820, 900, 1_024, 1_280, 2_560];

test('holding a key down pauses once', async ({ page }) => {
  await openOrders(page);
  for (const key of ['p', 'p', 'p', 'p']) await page.keyboard.down(key);
  await page.keyboard.up('p');
  await expect(page.getByRole('button', { name: /^Paused/ })).toHaveAttribute('aria-pressed', 'true');
});

test('rows do not move under a moving pointer, and the list says that they are held', async ({ page }) => {
  await openOrders(page);
  const isHeld = page.locator('[data-freshness=held]');
  let x = 400;
  await expect(async () => {
    await page.mouse.move((x += 1), 400);
    expect(toCount(await pill(page, 'pending').textContent())).toBeGreaterThan(0);
  }).toPass({ timeout: UPDATE_MS, intervals: [200] });
  await expect(isHeld).toHaveText(/^held, /);
  // Rows are held for four seconds after a move.
  await page.mouse.move((x += 1), 400);
  const before = await textsInSight(page, 'id');
  await page.mouse.move((x += 1), 400);
  expect(await textsInSight(page, 'id')).toEqual(before);
  await expect(pill(page, 'pending')).toHaveAttribute('title', /^Updates are held while the pointer moves/);
  await page.mouse.move(2, 2);
  await expect(pill(page, 'pending')).toHaveText(/^0 pending/);
  await expect(isHeld).toHaveCount(0);
});

test('the focus in the list holds nothing back but the place of its row', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  for (let step = 0; step < 9; step += 1) {
    const before = await activeOrder(page);
    await page.keyboard.press('ArrowDown');
    // The first keys may wait for the grid's code.
    await expect.poll(() => activeOrder(page)).not.toBe(before);
  }
  const id = await activeOrder(page);
  const row = orderGrid(page).getByRole('row').filter({ hasText: id });
  const place = await row.boundingBox();
  await untilSome(page, 'new change');
  await expect(pill(page, 'pending')).toHaveText(/^0 pending/);
  await expect(orderGrid(page)).toBeFocused();
  expect(await activeOrder(page)).toBe(id);
  expect((await row.boundingBox())?.y).toBe(place?.y);
});

test.describe('by the page’s clock', () => {
  test.use({ live: false });

  test('an order that is no longer working leaves by itself after the time in the preferences', async ({ page }) => {
    await page.clock.install();
    await page.addInitScript(() => {
      localStorage.setItem('perpdesk.preferences', '{"version":1,"goneOrders":"300"}');
    });
    await openOrders(page);
    await expect(goneRows(page).first()).toBeVisible({ timeout: UPDATE_MS });
    const id = (await goneRows(page).first().locator('[data-column=id]').textContent()) ?? '';
    // The order is alone in the list, so that it is in sight.
    await page.getByRole('searchbox').fill(id);
    await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', '2');
    const row = orderGrid(page).getByRole('row').filter({ hasText: id });
    // The clock continues meanwhile: one of the five minutes is left to see the row.
    await page.clock.fastForward(240_000);
    await expect(row).toBeVisible();
    await page.clock.fastForward(60_000);
    await expect(row).toBeHidden();
  });

  test('a pointer that rests in the list for two minutes holds nothing back', async ({ page }) => {
    await page.clock.install();
    await openOrders(page);
    await page.mouse.move(400, 400);
    await expect(page.locator('[data-freshness=held]')).toBeVisible();
    const asOf = page.locator('footer time').first();
    for (let minutes = 0; minutes < 2; minutes += 0.5) {
      // The page's clock jumps; the exchange and its reads take their own time.
      await page.clock.runFor(30_000);
      const before = await asOf.textContent();
      await expect(asOf).not.toHaveText(before ?? '', { timeout: UPDATE_MS });
      await expect(pill(page, 'pending')).toHaveText(/^0 pending/);
      await expect(page.locator('[data-freshness=live]')).toBeVisible();
    }
    await page.mouse.move(402, 400);
    await expect(page.locator('[data-freshness=held]')).toBeVisible();
  });
});
