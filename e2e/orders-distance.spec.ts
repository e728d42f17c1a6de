import { expect, type Page } from '@playwright/test';
import { openOrders, orderGrid, readWorking, test, textsInSight, toCount } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

interface ProductPrices {
  readonly product_id: number;
  readonly last_price: number | null;
  readonly settlement_price: number | null;
}

/** The distances of all orders but those of spreads, in percent: positive is away from the market. */
async function readDistances(page: Page): Promise<readonly number[]> {
  const prices = (await (await page.request.get('/api/product/data/')).json()) as readonly ProductPrices[];
  const marketOf = new Map(prices.map((row) => [row.product_id, row.last_price ?? row.settlement_price]));
  const { orders } = await readWorking(page);
  return orders.flatMap(({ side, price, product_id: id, product_type: type }) => {
    const market = marketOf.get(Number(id)) ?? null;
    if (market === null || type === 'Spread') return [];
    return [((side === 'Bid' ? market - Number(price) : Number(price) - market) / market) * 100];
  });
}

function shownCount(page: Page): Promise<number> {
  return page.locator('footer b').first().textContent().then(toCount);
}

test('orders far from the market are found by a range of distances, which agrees with the API', async ({ page }) => {
  await openOrders(page, '?f=distance:between:20~&sort=-distance');
  const far = (await readDistances(page)).filter((percent) => percent >= 20);
  expect(far.length).toBeGreaterThan(10);
  await expect.poll(() => shownCount(page)).toBe(far.length);
  await expect(page.getByRole('button', { name: 'Distance at least 20 %' })).toBeVisible();
  const [first = ''] = await textsInSight(page, 'distance');
  expect(toCount(first)).toBeCloseTo(Math.max(...far), 2);
  await orderGrid(page).locator('[data-column=distance]').nth(1).click();
  await expect(page.locator('body')).toContainText(/productDataAll (last_price|settlement_price) = \d+/);
  await takeShot(page, 'orders-distance-light-1280');
});

test('a list is grouped by bands of distance, the nearest first', async ({ page }) => {
  await openOrders(page);
  await page.getByLabel('Group by').selectOption({ label: 'Distance' });
  await expect(page).toHaveURL(/group=band/);
  await expect(orderGrid(page).locator('[data-group]').first().or(orderGrid(page).getByRole('row').nth(1))).toContainText(/At or through the market|Up to 1 % away/);
});

test('the depth chart reaches as far from the market as chosen, and counts the orders beyond', async ({ page }) => {
  await openOrders(page, '?f=product:is:PBTCUCZ50&beside=depth&scale=all');
  const depth = page.getByRole('complementary', { name: 'Depth of your orders' });
  await expect(depth.locator('[data-market]')).toBeAttached();
  await depth.getByRole('radio', { name: 'Within 5 %' }).check();
  await expect(page).toHaveURL(/scale=5/);
  await expect(depth).toContainText(/\d+ orders? further than 5 % from it (is|are) not in the chart, but in the table\./);
  await takeShot(page, 'orders-depth-scale-light-1280');
});
