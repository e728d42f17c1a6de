import { expect } from '@playwright/test';
import { countPolls, expectPushed, expectSameBook, test } from './live-desk.ts';
import { openOrders } from './orders-desk.ts';

test.setTimeout(240_000);

for (const fault of ['drops deltas', 'halves deltas'] as const) {
  test(`a proxy that ${fault}: the page has what the exchange has all the same`, async ({ page, desk }) => {
    desk.proxy.setFault(fault);
    await openOrders(page);
    for (const count of [1, 2, 3]) {
      await expect.poll(desk.proxy.damaged, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
      await expectSameBook(page, desk);
    }
    desk.proxy.setFault('none');
    desk.proxy.breakStreams();
    // After a third loss, the page polls for a minute before it follows the topic again.
    await expectPushed(page, desk, 90_000);
    await expectSameBook(page, desk);
  });
}

test('a proxy that changes checksums: the page polls, says why, and does not ask for the whole again and again', async ({
  page,
  desk,
}) => {
  desk.proxy.setFault('changes checksums');
  const polls = countPolls(page);
  await openOrders(page);
  await expect.poll(desk.proxy.damaged, { timeout: 60_000 }).toBeGreaterThan(1);
  const [polled, opened] = [polls(), desk.proxy.opened()];
  await expect.poll(polls, { timeout: 60_000 }).toBeGreaterThan(polled + 2);
  await expectSameBook(page, desk);
  expect(desk.proxy.opened() - opened).toBeLessThanOrEqual(20);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByText('Some changes did not arrive whole')).toBeVisible();
});
