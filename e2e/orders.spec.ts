import { expect } from '@playwright/test';
import { activeOrder, expectPriced, openOrders, orderGrid, readWorking, test, textsInSight } from './orders-desk.ts';

test.use({ live: false });

test('by keyboard alone, in the complete list: found by typing, opened, explained, closed, and back where it was', async ({
  page,
}) => {
  await openOrders(page);
  await expect(page.locator('footer')).toContainText('1,200 of 1,200 shown');
  await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible();
  const newest = (await readWorking(page)).orders.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? 1 : -1));
  expect((await textsInSight(page, 'id')).slice(0, 10)).toEqual(newest.slice(0, 10).map(String));
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

test('a finger that taps the line of a group closes and opens it; one that scrolls from there does not', async ({
  page,
}) => {
  await openOrders(page, '?group=side');
  await expectPriced(page);
  const first = orderGrid(page).locator('[role=row][aria-rowindex="2"]');
  const box = await first.boundingBox();
  const at = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 10 };
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    protocol.send('Input.dispatchTouchEvent', { type, touchPoints });
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
