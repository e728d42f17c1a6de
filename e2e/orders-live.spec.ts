import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { activeOrder, openOrders, orderGrid, textsInSight, toCount, withDesk } from './orders-desk.ts';

/** A market in which orders arrive, fill and vanish all the time: each second of the test is a minute of it. */
const test = withDesk(['--working', '300', '--live', 'on', '--speed', '60']);

const PATIENCE = 25_000;

test.setTimeout(60_000);

function pill(page: Page, name: 'waiting' | 'unseen') {
  return page.getByRole('button', { name: new RegExp(`^[\\d,]+ ${name}`) });
}

async function untilSome(page: Page, name: 'waiting' | 'unseen'): Promise<number> {
  await expect.poll(async () => toCount(await pill(page, name).textContent()), { timeout: PATIENCE }).toBeGreaterThan(0);
  return toCount(await pill(page, name).textContent());
}

test('what changes is marked until it is seen', async ({ page }) => {
  await openOrders(page);
  await untilSome(page, 'unseen');
  await expect(orderGrid(page).locator('[data-mark]').first()).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('u');
  await expect(pill(page, 'unseen')).toHaveText(/^0 unseen/);
  await expect(orderGrid(page).locator('[data-mark]')).toHaveCount(0);
});

test('an order that is gone says so until it is seen, and is in no count', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.type('gone');
  const gone = orderGrid(page).locator('[role=row][data-mark=gone]').first();
  await expect(gone).toBeVisible({ timeout: PATIENCE });
  await expect(page.locator('footer')).toContainText(/^0 of [\d,]+ shown, [\d,]+ gone/);
  await gone.locator('[data-column=side]').dblclick();
  await expect(page.getByRole('complementary', { name: 'Order' })).toContainText('Gone The last answer does not have it any more');
});

test('the order that is told of beside the list stays marked in it, also while others come and nobody is in the list', async ({ page }) => {
  await openOrders(page);
  const [, , id = ''] = await textsInSight(page, 'id');
  const row = orderGrid(page).getByRole('row').filter({ hasText: id });
  await row.locator('[data-column=side]').dblclick();
  await page.getByRole('complementary', { name: 'Order' }).getByRole('button', { name: 'Close' }).focus();
  await page.mouse.move(0, 0);
  await untilSome(page, 'unseen');
  await expect(orderGrid(page).locator('[role=row][aria-current=true]')).toHaveCount(1);
  await expect(row).toHaveAttribute('aria-current', 'true');
  await expect(row).toHaveAttribute('aria-selected', 'false');
  const ground = await orderGrid(page).locator('[role=row]:not([aria-current]) > [data-column=product]').last().evaluate((cell) => getComputedStyle(cell).backgroundColor);
  await expect(row.locator('[data-column=product]')).not.toHaveCSS('background-color', ground);
  await page.keyboard.press('Enter');
  await expect(orderGrid(page).locator('[aria-current]')).toHaveCount(0);
});

test('while paused nothing moves, what waits is counted, and going on shows it', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: /^Paused/ })).toHaveAttribute('aria-pressed', 'true');
  const before = await textsInSight(page, 'id');
  const waiting = await untilSome(page, 'waiting');
  await expect(page.locator('footer')).toContainText(/[\d,]+ waiting/);
  expect(await textsInSight(page, 'id')).toEqual(before);
  expect(waiting).toBeGreaterThan(0);
  await page.screenshot({ path: 'e2e/artifacts/screens/orders-waiting-light-1280.png' });
  await page.keyboard.press('p');
  await expect(pill(page, 'waiting')).toHaveText(/^0 waiting/);
  await untilSome(page, 'unseen');
});

test('a key that is held down pauses once', async ({ page }) => {
  await openOrders(page);
  for (const key of ['p', 'p', 'p', 'p']) await page.keyboard.down(key);
  await page.keyboard.up('p');
  await expect(page.getByRole('button', { name: /^Paused/ })).toHaveAttribute('aria-pressed', 'true');
});

test('rows do not move under the pointer', async ({ page }) => {
  await openOrders(page);
  await orderGrid(page).hover({ position: { x: 300, y: 200 } });
  const before = await textsInSight(page, 'id');
  await untilSome(page, 'waiting');
  expect(await textsInSight(page, 'id')).toEqual(before);
  await page.mouse.move(2, 2);
  await expect(pill(page, 'waiting')).toHaveText(/^0 waiting/);
});

test('the keyboard stays on its order when what waits is let in', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowDown');
  const id = await activeOrder(page);
  expect(id).toMatch(/^\d{19}$/);
  await untilSome(page, 'waiting');
  await page.keyboard.press('w');
  await expect(pill(page, 'waiting')).toHaveText(/^0 waiting/);
  await expect(orderGrid(page)).toBeFocused();
  expect(await activeOrder(page)).toBe(id);
});
