import { expect } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

interface Product {
  readonly symbol: string;
  readonly base_symbol: string;
  readonly type: string;
  readonly product_id: number;
  readonly product_status: string;
  readonly final_settle_time?: string;
}

test('a series, an underlying, and the symbol in any case lead to the price of what they mean', async ({ page }) => {
  for (const name of ['BTCUC', 'btcuc', 'btc', 'btc-perp', 'pbtcucz50']) {
    await page.goto(`/price/${name}`);
    await expect(page.getByRole('heading', { name: 'PBTCUCZ50', exact: true })).toBeVisible();
  }
});

test('a series without a perpetual means its front month', async ({ page }) => {
  const response = await page.request.get('/api/desk/products');
  const { products } = (await response.json()) as { readonly products: readonly Product[] };
  const futures = products.filter(({ type, base_symbol: base, product_status: status }) => type === 'future' && base === 'BUS' && status === 'active');
  const [front] = futures.toSorted((a, b) => Date.parse(a.final_settle_time ?? '') - Date.parse(b.final_settle_time ?? ''));
  await page.goto('/price/bus');
  await expect(page.getByRole('heading', { name: front?.symbol ?? '', exact: true })).toBeVisible();
});

test('the symbol, the id and the underlying of a perpetual lead to its funding, at its own address', async ({ page }) => {
  const response = await page.request.get('/api/desk/products');
  const { products } = (await response.json()) as { readonly products: readonly Product[] };
  const id = products.find(({ symbol }) => symbol === 'PBTCUCZ50')?.product_id;
  for (const name of ['PBTCUCZ50', 'btc-perp', 'btcuc', String(id)]) {
    await page.goto(`/funding/${name}?range=7d`);
    await expect(page).toHaveURL('/funding/BTCUC?range=7d');
    await expect(page.getByRole('heading', { name: 'Settled rates' })).toBeVisible();
  }
});

for (const [address, proposed, target] of [
  ['/price/PBTCUZ50', 'PBTCUCZ50', '/price/PBTCUCZ50'],
  ['/volume?product=PBTCUZ50', 'PBTCUCZ50', '/volume?product=PBTCUCZ50'],
] as const) {
  test(`${address}: an unknown name is followed by the nearest`, async ({ page }) => {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'No product “PBTCUZ50”' })).toBeVisible();
    await expect(page.getByText('Did you mean PBTCUCZ50')).toBeVisible();
    await takeShot(page, `unknown-product-${address.slice(1, 6)}`);
    await page.getByRole('main').getByRole('link', { name: proposed, exact: true }).click();
    await expect(page).toHaveURL(target);
    await expect(page.getByRole('heading', { name: /^PBTCUCZ50/ }).first()).toBeVisible();
  });
}

test.describe('an unknown perpetual', () => {
  test.use({ provoked: /404/ });

  test('is followed by the nearest', async ({ page }) => {
    await page.goto('/funding/PBTCUZ50');
    await expect(page.getByRole('heading', { name: 'No perpetual “PBTCUZ50”' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'BTCUC', exact: true }).click();
    await expect(page).toHaveURL('/funding/BTCUC');
  });
});
