import { expect, type Page } from '@playwright/test';
import { changeTrading, withLast } from './trading-data.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ viewport: { width: 1280, height: 900 } });

const HOUR_MS = 3_600_000;

/** Bitcoin's perpetual traded some time ago, Ether's never, and all others a minute ago. */
async function setTrades(page: Page, ago: number): Promise<{ readonly bitcoin: number; readonly ether: number }> {
  const { products } = (await (await page.request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly product_id: number; readonly symbol: string }[] };
  const idOf = (symbol: string): number => products.find((product) => product.symbol === symbol)?.product_id ?? 0;
  const [bitcoin, ether] = [idOf('PBTCUCZ50'), idOf('PETHUIZ50')];
  const before = (ms: number): string => new Date(Date.now() - ms).toISOString();
  const [long, short] = [before(ago), before(60_000)];
  await changeTrading(page, (row) => {
    if (row.product_id === ether) return { ...row, last_price: null, last_price_time: null, price_change: null };
    return withLast(row, 3, row.product_id === bitcoin ? long : short);
  });
  return { bitcoin, ether };
}

function cellsOf(page: Page, column: string) {
  return page.locator(`[role=gridcell][data-column=${column}]`);
}

function rowOf(page: Page, symbol: string) {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
}

async function openMarkets(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(cellsOf(page, 'lastTrade').first()).toHaveText(/\d|–/, { timeout: 15_000 });
  await expect(page.getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

test('Markets shows how long ago each product traded, whenever it was read', async ({ page }) => {
  await setTrades(page, 3 * HOUR_MS + 120_000);
  await openMarkets(page, '/?type=perpetual&sort=symbol');
  await expect(rowOf(page, 'PBTCUCZ50').locator('[data-column=lastTrade]')).toHaveText('3 h');
  await expect(rowOf(page, 'PETHUIZ50').locator('[data-column=lastTrade]')).toHaveText('–');
  await expect(rowOf(page, 'PSOLUSZ50').locator('[data-column=lastTrade]')).toHaveText(/^[12] min$/);
  // The reading is seconds old all the same.
  await expect(page.getByText(/^\d+ s old · refreshes every \d+ s$/)).toBeVisible();
});

test('the last trade sorts by its age, products without a trade last both ways, and a link shows the same', async ({ page }) => {
  await setTrades(page, 3 * HOUR_MS + 120_000);
  await openMarkets(page, '/?type=perpetual');
  const head = page.getByRole('columnheader', { name: 'Last trade' });
  await head.click();
  await expect(page).toHaveURL('/?type=perpetual&sort=-lastTrade');
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  const symbols = async (): Promise<readonly string[]> => {
    const rows = await page.locator('[role=row]:has([role=gridcell])').evaluateAll((all) => all.toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex)).map((row) => row.querySelector('[data-column=symbol]')?.textContent ?? ''));
    return rows;
  };
  await expect.poll(async () => (await symbols())[0]).toBe('PBTCUCZ50');
  expect((await symbols()).at(-1)).toBe('PETHUIZ50');
  await openMarkets(page, '/?type=perpetual&sort=lastTrade');
  expect((await symbols()).slice(-2)).toEqual(['PBTCUCZ50', 'PETHUIZ50']);
});

test('the age explains itself by key: when the trade was, where that comes from, or why it is not known', async ({ page }) => {
  await setTrades(page, 3 * HOUR_MS + 120_000);
  await openMarkets(page, '/?q=PBTCUCZ50');
  await rowOf(page, 'PBTCUCZ50').locator('[data-column=lastTrade]').click();
  await page.keyboard.press('i');
  const known = page.getByRole('dialog', { name: /PBTCUCZ50 last trade: 3 h 0[2-4] min ago/ });
  await expect(known).toContainText(/Traded.*UTC/);
  await expect(known).toContainText('last_price_time');
  await expect(known).toContainText('GET /api/product/data/');
  await page.keyboard.press('Escape');
  await openMarkets(page, '/?q=PETHUIZ50');
  await rowOf(page, 'PETHUIZ50').locator('[data-column=lastTrade]').click();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog', { name: 'PETHUIZ50 last trade: –' })).toContainText('The exchange gives no time of a last trade for this product.');
});

test('Price shows the age of an old price beside it, and no age beside a recent one', async ({ page }) => {
  await setTrades(page, 26 * 60_000);
  const last = (name: string) => page.getByRole('region', { name: `${name} current figures` }).locator('div', { has: page.locator('dt', { hasText: /^Last USD/ }) }).last();
  await page.goto('/price/PBTCUCZ50');
  await expect(last('PBTCUCZ50').locator('time').last()).toHaveText(/^2[67] min ago$/);
  await page.goto('/price/PSOLUSZ50');
  await expect(last('PSOLUSZ50')).toHaveText(/Last USD\s*[\d,.]+/);
  await expect(last('PSOLUSZ50')).not.toContainText('ago');
});

test('a phone has the column too', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await setTrades(page, 3 * HOUR_MS);
  await openMarkets(page, '/?type=perpetual');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-active]')).toHaveAttribute('data-column', 'lastTrade');
  await expect(page.locator('[data-active]')).toBeInViewport({ ratio: 1 });
});
