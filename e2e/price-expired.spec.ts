import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

/** The part of a product that the test reads. */
interface Product {
  readonly symbol: string;
  readonly type: string;
  readonly product_status: string;
  readonly final_settle_time: string;
}

test('an expired product is shown up to its last session, with its expiry instead of the current session', async ({ page, request }) => {
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly Product[] };
  // Expired before the default range would begin if it were counted from today.
  const longAgo = new Date(Date.now() - 200 * 86_400_000).toISOString();
  const { symbol = '', final_settle_time = '' } = products.find(({ type, product_status: status, final_settle_time: at }) => type === 'future' && status === 'expired' && at < longAgo) ?? {};
  const day = new Date(final_settle_time).toUTCString().slice('Fri, '.length, 'Fri, 29 Nov 2024'.length);
  await page.goto(`/price/${symbol}`);
  await expect(page.getByRole('application', { name: new RegExp(symbol) })).toBeVisible();
  await expect(page.getByTestId('legend').locator('dd').first()).toHaveText(day);
  const now = page.getByRole('region', { name: `${symbol} current figures` });
  await expect(now).toContainText(`expired ${day}`);
  await expect(now).not.toContainText('session of');
  await page.getByRole('radio', { name: 'Custom' }).check();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue(final_settle_time.slice(0, 'YYYY-MM-DD'.length));
});
