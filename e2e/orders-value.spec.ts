import { expect, type Page } from '@playwright/test';
import { openOrders, orderGrid, readWorking, test, toCount } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

interface Spec {
  readonly product_id: number;
  readonly contract_size: number;
  readonly price_increment: number;
  readonly legs?: readonly { readonly product_id: number; readonly weight: number }[];
}

/** Product data by product id. */
async function readBy<Row extends { readonly product_id: number }>(page: Page, path: string): Promise<ReadonlyMap<unknown, Row>> {
  const rows = (await (await page.request.get(path)).json()) as readonly Row[];
  return new Map(rows.map((row) => [row.product_id, row]));
}

test('a spread shows its difference and the notional of its first leg, and has no notional of its own', async ({ page }) => {
  await openOrders(page);
  const { orders } = await readWorking(page);
  const specs = await readBy<Spec>(page, '/api/product/specs/');
  const prices = await readBy<{ readonly product_id: number; readonly last_price: number }>(page, '/api/product/data/');
  const order = orders.find(({ product_type: type }) => type === 'Spread');
  const [leg] = specs.get(order?.['product_id'])?.legs ?? [];
  const [spec, price] = [specs.get(leg?.product_id), prices.get(leg?.product_id)];
  if (!order || !leg || !spec || !price) throw new Error('no spread');
  const expected = (order.quantity_requested - order.quantity_filled) * leg.weight * spec.contract_size * price.last_price * spec.price_increment;
  await openOrders(page, `?q=${order.id}&cols=side,product,remaining,notional,premium,difference,underlying`);
  const cellOf = (column: string) => orderGrid(page).locator(`[role=gridcell][data-column=${column}]`).first();
  await expect(cellOf('notional')).toHaveText('–');
  await expect(cellOf('premium')).toHaveText('–');
  await expect(cellOf('difference')).toHaveText(/\d/);
  await expect.poll(async () => toCount(await cellOf('underlying').textContent())).toBeCloseTo(expected, 1);
});

test('the totals of notional, premium, difference and underlying are separate', async ({ page }) => {
  await openOrders(page);
  // On the weekend after a quarterly expiry nobody has orders in options.
  const hasOptions = (await readWorking(page)).orders.some(({ side, product_type: type }) => side === 'Bid' && type === 'Option');
  const premium = hasOptions ? String.raw` · gross option premium [\d,.]+` : '';
  await expect(page.locator('footer')).toContainText(new RegExp(String.raw`Σ Bid [\d,]+ contracts of [\d,]+ products · gross notional [\d,.]+${premium} · gross spread value [\d,.]+ · underlying notional [\d,.]+ USD`));
  await takeShot(page, 'orders-value-light-1280');
  await page.setViewportSize({ width: 2560, height: 1440 });
  await takeShot(page, 'orders-value-light-2560');
});
