import { page, type Locator } from 'vitest/browser';
import { expect, test, vi } from 'vitest';
import { toNumber } from '#contract/exchange/brand.ts';
import { open, recordedAnswer } from '#testing/component/mount.tsx';
import { READINGS, readOrders, toPastResponse } from '#testing/component/past-desk.ts';
import { expectText, expectToContain, fileSavedBy, press } from '#testing/component/screen.ts';

const [FIRST] = READINGS;
const grid = (): Locator => page.getByRole('grid', { name: 'Working orders' });

test('distances, exposure and evidence of an earlier time are by the market prices recorded then', async () => {
  const orders = await readOrders(0);
  const order = orders.find(({ side, product_type: type }) => side === 'Bid' && type === 'Future');
  if (order === undefined) throw new Error('The reading has no bid for a future.');
  const market = toNumber(order.price) * 2;
  const answer = toPastResponse({
    prices: (prices) => ({
      ...prices,
      prices: prices.prices.map((price) =>
        String(price.product_id) === String(order.product_id)
          ? { ...price, last_price: market, high_price: market, low_price: market }
          : price,
      ),
    }),
  });
  // Reads for evidence bypass the page's cache.
  vi.spyOn(window, 'fetch').mockImplementation(async (request) => {
    const target = request as string;
    const found = (await answer(target)) ?? (await recordedAnswer(target));
    if (found === null) throw new Error(`No answer to GET ${target} is recorded.`);
    return new Response(found.text, { status: found.status, headers: found.headers });
  });
  const { requested } = await open(`/orders?at=${FIRST}&cols=id,distance,underlying&f=id:is:${order.id}`, { answer });
  await expect.element(page.getByText('Market prices read 11:59:40 UTC')).toBeVisible();
  const cell = (column: string): Locator => grid().getBySelector(`[data-part=body] [data-column=${column}]`).first();
  await expectText(cell('distance'), '50.00');
  await cell('distance').click();
  await press('i');
  await expectToContain(page.getByRole('dialog'), `desk/journalPrices last_price = ${String(market)}`);
  await expectToContain(page.getByRole('dialog'), 'Market prices read\n2026-08-17 11:59:40');
  await press('Escape');
  await expectText(cell('underlying'), /\d/);
  const notional = cell('underlying').element().textContent;
  await page.getByRole('button', { name: 'Exposure', exact: true }).click();
  const exposure = page.getByRole('complementary').getByRole('grid', { name: 'Exposure by account' });
  await expectText(exposure.getBySelector('[data-part=body] [data-column=gross]').first(), notional);
  expect(requested.filter((target) => target.includes('/journal/prices'))).toHaveLength(1);
  await page.getByRole('button', { name: 'Evidence', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Save the \d+ orders that are not shown/ }).click();
  const { name } = await fileSavedBy(async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save evidence' }).click();
  });
  expect(name).toMatch(/^evidence-working-orders-then-/);
});
