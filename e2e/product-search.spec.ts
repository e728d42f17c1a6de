import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

interface Product {
  readonly product_id: number;
  readonly symbol: string;
  readonly type: string;
  readonly product_status: string;
  readonly month?: string;
  readonly year?: number;
  readonly contract_size_unit: string;
}

async function activeProducts(page: Page): Promise<readonly Product[]> {
  const response = await page.request.get('/api/desk/products');
  const { products } = (await response.json()) as { readonly products: readonly Product[] };
  return products.filter(({ product_status: status }) => status === 'active');
}

function options(page: Page) {
  return page.getByRole('option');
}

async function openPalette(page: Page): Promise<void> {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search products, screens and commands' })).toBeFocused();
}

test('the command palette finds a product by words in any order, best match first, and marks what matched', async ({ page }) => {
  await openPalette(page);
  for (const text of ['btc perp', 'perpetual btc', 'swap BTC']) {
    await page.getByRole('combobox').fill(text);
    await expect(options(page)).toHaveText([/^PBTCUCZ50/]);
  }
  await expect(options(page).locator('mark')).toHaveText(['BTC', 'Perpetual']);
  await page.getByRole('combobox').fill('bitcoin');
  await expect(options(page).filter({ hasText: 'PBTCUCZ50' })).toBeVisible();
  await expect(options(page).filter({ hasText: 'Bitcoin Cash' })).toHaveCount(1);
  await expect(options(page).last()).toContainText('Bitcoin Cash');
  await takeShot(page, 'palette-search-light-1280');
});

test('a month, a year and a strike find a product, however they are written', async ({ page }) => {
  const products = await activeProducts(page);
  const [call = ''] = products.map(({ symbol }) => symbol).filter((symbol) => /-C\d+000$/.test(symbol));
  const [future] = products.filter(({ type, contract_size_unit: unit }) => type === 'future' && unit === 'ETH');
  if (future?.month === undefined) throw new Error('The exchange lists no future of ETH.');
  const thousands = call.replace(/.*-C/, '').slice(0, -3);
  await openPalette(page);
  for (const strike of [`${thousands}000`, `${thousands},000`, `${thousands} 000`, `${thousands}k`]) {
    await page.getByRole('combobox').fill(`call ${strike}`);
    await expect(options(page).filter({ hasText: call }).first()).toBeVisible();
  }
  await page.getByRole('combobox').fill(`eth ${future.month}${String(future.year).slice(-2)}`);
  await expect(options(page).first()).toContainText(future.symbol);
});

test('the filter of Markets finds what the palette finds: by other codes, by a pair, by a year of one digit, by a month', async ({ page }) => {
  await page.setViewportSize({ width: 1_280, height: 2_400 });
  const products = await activeProducts(page);
  const [future] = products.filter(({ type, contract_size_unit: unit }) => type === 'future' && unit === 'BTC');
  if (future?.month === undefined) throw new Error('The exchange lists no future of BTC.');
  const symbolOf = (unit: string): string => products.find(({ type, contract_size_unit: of }) => type === 'perpetual' && of === unit)?.symbol ?? '';
  const short = future.symbol.replace(/\d(\d)$/, '$1');
  await openPalette(page);
  for (const [text, symbol] of [['xbt perp', symbolOf('BTC')], ['btcusd perp', symbolOf('BTC')], ['avax usd perp', symbolOf('AVAX')], [`${short} future`, future.symbol]] as const) {
    await page.getByRole('combobox').fill(text);
    await expect(options(page)).toHaveText([new RegExp(`^${symbol}`)]);
  }
  await page.keyboard.press('Escape');
  await page.goto(`/?q=${short}`);
  const shown = page.getByRole('grid').locator('[role=row] [data-column="symbol"] a');
  await expect(shown.filter({ hasText: new RegExp(`^${future.symbol}$`) })).toBeVisible();
  // A month is no beginning of another word.
  await page.goto('/?type=future&q=dec');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' }).or(shown.first())).toBeVisible();
  const december = products.filter(({ type, month }) => type === 'future' && month === 'Z').map((product) => product.symbol);
  await expect.poll(async () => (await shown.allInnerTexts()).toSorted()).toEqual(december.toSorted());
});

test('a screen beside a product leads to the product on that screen', async ({ page }) => {
  await openPalette(page);
  await page.keyboard.type('funding btc');
  await expect(options(page)).toHaveText([/^PBTCUCZ50/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/funding/BTCUC');
});

test('where nothing matches, the nearest product is proposed and can be chosen', async ({ page }) => {
  await openPalette(page);
  await page.keyboard.type('PBTCUZ50');
  await expect(page.getByText('No matches for “PBTCUZ50”. Did you mean:')).toBeVisible();
  await expect(options(page).first()).toHaveText(/^PBTCUCZ50/);
  await takeShot(page, 'palette-miss-light-1280');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'PBTCUCZ50', exact: true })).toBeVisible();
});

test('a combobox searches like the palette, and proposes the nearest', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50');
  const field = page.getByRole('button', { name: 'Compare with' });
  await field.click();
  const input = page.getByRole('combobox', { name: 'Compare with' });
  await input.fill('perp eth');
  await expect(options(page)).toHaveText([/^PETHUIZ50/]);
  await expect(options(page).locator('mark').first()).toHaveText('ETH');
  await takeShot(page, 'combobox-search-light-1280');
  await input.fill('etherum');
  await expect(page.getByText('No matches for “etherum”. Did you mean:')).toBeVisible();
  await expect(options(page).first()).toHaveText(/^PETHUIZ50/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Compare with: PETHUIZ50' })).toBeFocused();
});

test('the filter of Markets searches alike, also from a link, and proposes the nearest', async ({ page }) => {
  await page.goto('/?q=swap+btc');
  const symbols = page.getByRole('grid', { name: 'Markets' }).locator('[role=row] [data-column="symbol"] a');
  await expect(symbols).toHaveText(['PBTCUCZ50']);
  await page.getByRole('searchbox').fill('PBTCUZ50');
  await expect(page.getByText('Did you mean')).toBeVisible();
  await takeShot(page, 'markets-miss-light-1280');
  await page.getByRole('main').getByRole('link', { name: 'PBTCUCZ50' }).click();
  await expect(page).toHaveURL('/?q=PBTCUCZ50');
  await expect(symbols).toHaveText(['PBTCUCZ50']);
});

for (const width of [1280, 360]) {
  test.describe(`the history of orders at ${String(width)} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a text that is no symbol is not requested: the products it may mean are proposed', async ({ page }) => {
      const requested: (string | null)[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/api/orders' && searchParams.has('symbol')) requested.push(searchParams.get('symbol'));
      });
      await page.goto('/orders/history');
      const fields = page.getByText('Exchange filters');
      const product = page.getByRole('textbox', { name: 'Product', exact: true });
      if (width === 360) await fields.click();
      await product.fill('perp btc');
      await page.keyboard.press('Enter');
      const proposals = page.getByRole('group', { name: 'No product “perp btc”' });
      await expect(proposals.getByRole('button', { name: 'PBTCUCZ50' })).toBeVisible();
      expect(await page.getByRole('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
      await inEachLook(page, [[width, 800]], async (look) => {
        await expectAccessible(page, look);
        await takeShot(page, `history-proposals-${look.colorScheme}-${String(width)}`);
      });
      expect(requested).toEqual([]);
      await proposals.getByRole('button', { name: 'PBTCUCZ50' }).click();
      await expect(product).toHaveValue('PBTCUCZ50');
      await expect.poll(() => requested).toEqual(['PBTCUCZ50']);
      await expect(proposals).toHaveCount(0);
      await product.fill('NOSUCH');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Filter by “NOSUCH” anyway' }).click();
      await expect.poll(() => requested.at(-1)).toBe('NOSUCH');
    });
  });
}
