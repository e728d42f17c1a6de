// The command palette, the comboboxes, the filter of Markets and the order history all find products in the same way.
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectToContain, press, textsOf } from '#testing/component/screen.ts';

const options = (): Locator => page.getByRole('option');
const found = (): readonly string[] => textsOf(options()).map((text) => /^\S+/.exec(text)?.[0] ?? '');
const input = (): Locator => page.getByRole('combobox');

async function openPalette(): Promise<void> {
  await open('/status');
  await press('Control+k');
  await expect.element(page.getByRole('combobox', { name: 'Search products, screens and commands' })).toHaveFocus();
}

test('the command palette finds a product by words in any order, best match first, and marks what matched', async () => {
  await openPalette();
  for (const text of ['btc perp', 'perpetual btc', 'swap BTC']) {
    await input().fill(text);
    await expect.poll(found).toEqual(['PBTCUCZ50']);
  }
  expect(textsOf(options().getBySelector('mark'))).toEqual(['BTC', 'Perpetual']);
  await input().fill('bitcoin');
  await expect.poll(found).toContain('PBTCUCZ50');
  await expectCount(options().filter({ hasText: 'Bitcoin Cash' }), 1);
  await expectToContain(options().last(), 'Bitcoin Cash');
});

test('a month, a year and a strike find a product, however they are written', async () => {
  await openPalette();
  for (const strike of ['80000', '80,000', '80 000', '80k']) {
    await input().fill(`call ${strike}`);
    await expect.poll(found).toContain('BUSU26-C80000');
  }
  await input().fill('eth Q26');
  await expect.poll(() => found()[0]).toBe('ETUDQ26');
});

test('other codes, a pair and a year of one digit find a product', async () => {
  await openPalette();
  for (const [text, symbol] of [
    ['xbt perp', 'PBTCUCZ50'],
    ['btcusd perp', 'PBTCUCZ50'],
    ['avax usd perp', 'PAVXUDZ50'],
    ['BUSQ6 future', 'BUSQ26'],
  ] as const) {
    await input().fill(text);
    await expect.poll(found).toEqual([symbol]);
  }
});

test('a screen beside a product leads to the product on that screen', async () => {
  await openPalette();
  await userEvent.keyboard('funding btc');
  await expect.poll(found).toEqual(['PBTCUCZ50']);
  await press('Enter');
  await expect.poll(address).toBe('/funding/BTCUC');
});

test('where nothing matches, the nearest product is proposed and can be chosen', async () => {
  await openPalette();
  await userEvent.keyboard('PBTCUZ50');
  await expect.element(page.getByText('No matches for “PBTCUZ50”. Did you mean:')).toBeVisible();
  await expect.poll(() => found()[0]).toBe('PBTCUCZ50');
  await press('Enter');
  await expect.element(page.getByRole('heading', { name: 'PBTCUCZ50', exact: true })).toBeVisible();
});

test('a combobox searches like the palette, and proposes the nearest', async () => {
  await open('/price/PBTCUCZ50');
  await page.getByRole('button', { name: 'Compare with' }).click();
  const field = page.getByRole('combobox', { name: 'Compare with' });
  await field.fill('perp eth');
  await expect.poll(found).toEqual(['PETHUIZ50']);
  expect(textsOf(options().getBySelector('mark'))[0]).toBe('ETH');
  await field.fill('etherum');
  await expect.element(page.getByText('No matches for “etherum”. Did you mean:')).toBeVisible();
  await expect.poll(() => found()[0]).toBe('PETHUIZ50');
  await press('Enter');
  await expect.element(page.getByRole('button', { name: 'Compare with' })).toHaveFocus();
  await expect.poll(address).toContain('vs=PETHUIZ50');
});

const symbols = (): readonly string[] =>
  textsOf(page.getByRole('grid', { name: 'Markets' }).getBySelector('[role=row] [data-column="symbol"] a'));

test('the filter of Markets searches alike, also from a link, and proposes the nearest', async () => {
  await open('/?q=swap+btc');
  await expect.poll(symbols).toEqual(['PBTCUCZ50']);
  await page.getByRole('searchbox').fill('BUSQ6');
  await expect.poll(symbols).toContain('BUSQ26');
  await page.getByRole('searchbox').fill('PBTCUZ50');
  await expect.element(page.getByText('Did you mean')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'PBTCUCZ50' }).click();
  await expect.poll(address).toBe('/?q=PBTCUCZ50');
  await expect.poll(symbols).toEqual(['PBTCUCZ50']);
});

test('in the filter of Markets a month is no beginning of another word', async () => {
  await open('/?type=future&q=dec');
  await expect.poll(() => symbols().toSorted()).toEqual(['BUCZ26', 'BUSZ26', 'ETUDZ26', 'SOUHZ26']);
});

test.each([1_280, 360])(
  'at %i px, a text that is no symbol is not requested from the history of orders: the products it may mean are proposed',
  async (width) => {
    const { requested } = await open('/orders/history', { size: [width, 800] });
    const bySymbol = (): readonly (string | null)[] =>
      requested
        .filter((target) => target.startsWith('/api/orders?'))
        .map((target) => new URLSearchParams(target.split('?')[1]).get('symbol'))
        .filter((symbol) => symbol !== null);
    const product = page.getByRole('textbox', { name: 'Product', exact: true });
    if (width === 360) await page.getByText('Exchange filters').click();
    await product.fill('perp btc');
    await press('Enter');
    const proposals = page.getByRole('group', { name: 'No product “perp btc”' });
    await expect.element(proposals.getByRole('button', { name: 'PBTCUCZ50' })).toBeVisible();
    const { scrollWidth, clientWidth } = page.getByRole('main').element();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    expect(bySymbol()).toEqual([]);
    await proposals.getByRole('button', { name: 'PBTCUCZ50' }).click();
    await expect.element(product).toHaveValue('PBTCUCZ50');
    await expect.poll(() => [...new Set(bySymbol())]).toEqual(['PBTCUCZ50']);
    await expectCount(proposals, 0);
    await product.fill('NOSUCH');
    await press('Enter');
    await page.getByRole('button', { name: 'Filter by “NOSUCH” anyway' }).click();
    await expect.poll(() => bySymbol().at(-1)).toBe('NOSUCH');
  },
);
