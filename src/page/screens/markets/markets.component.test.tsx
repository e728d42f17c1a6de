// Tests which products the list has, in which order, and where its rows lead.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { address, expectCount, expectText, exportAs, fileSavedBy, press, textsOf } from '#testing/component/screen.ts';
import {
  activeCell,
  cellOf,
  columnOf,
  figuresOf,
  grid,
  groups,
  head,
  lines,
  openMarkets,
  products,
  rowOf,
} from '#testing/component/markets-page.ts';

function isOrdered(figures: readonly number[], descending: boolean): boolean {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  const sorted = known.toSorted((a, b) => (descending ? b - a : a - b));
  const missingLast = figures.slice(known.length).every((figure) => Number.isNaN(figure));
  return known.length > 0 && missingLast && known.every((figure, index) => figure === sorted[index]);
}

test('the list has every active product and no other, and says how many', async () => {
  const active: unknown[] = [];
  await openMarkets('/', {
    change: (answer) => {
      if (answer.target === '/api/desk/products') {
        const { products: all } = JSON.parse(answer.text) as {
          readonly products: readonly { readonly symbol: string; readonly product_status: string }[];
        };
        active.push(...all.filter(({ product_status: status }) => status === 'active').map(({ symbol }) => symbol));
      }
      return answer;
    },
  });
  expect(active).toHaveLength(71);
  expect(columnOf('symbol').toSorted()).toEqual(active.toSorted());
  await expect.element(page.getByText('71 of 71 products')).toBeVisible();
});

test('a header sorts by its column, both ways with missing values last, and has aria-sort', async () => {
  await openMarkets();
  expect(isOrdered(figuresOf('volumeUsd'), true)).toBe(true);
  await head('Funding').click();
  await expect.element(head('Funding')).toHaveAttribute('aria-sort', 'descending');
  const down = figuresOf('funding');
  expect(down.some((figure) => Number.isNaN(figure))).toBe(true);
  expect(isOrdered(down, true)).toBe(true);
  await head('Funding').click();
  await expect.element(head('Funding')).toHaveAttribute('aria-sort', 'ascending');
  expect(isOrdered(figuresOf('funding'), false)).toBe(true);
});

test('Shift-click on a header adds a sort level', async () => {
  await openMarkets('/?sort=type');
  await head('Symbol').click({ modifiers: ['Shift'] });
  await expect.poll(address).toBe('/?sort=type%2Csymbol');
  const types = columnOf('type');
  const symbols = columnOf('symbol').filter((_, index) => types[index] === 'perpetual');
  expect(symbols).toEqual(symbols.toSorted());
});

test('a link shows the same list', async () => {
  await openMarkets();
  await page.getByRole('radio', { name: 'Perpetuals' }).click();
  await page.getByRole('button', { name: 'Group by underlying' }).click();
  await head('APR').click();
  await page.getByRole('searchbox').fill('dollar kilo');
  await expect.poll(address).toBe('/?type=perpetual&group=underlying&sort=-apr&q=dollar+kilo');
  const shown = columnOf('symbol');
  expect(shown).toContain('PXTZUKZ50');
  await openMarkets(address());
  await expect.element(page.getByRole('searchbox')).toHaveValue('dollar kilo');
  expect(columnOf('symbol')).toEqual(shown);
});

test('an invalid address shows the default list', async () => {
  await openMarkets('/?sort=-nothing,%27&type=swap&group=moon');
  expect(columnOf('symbol')).toHaveLength(71);
  expect(isOrdered(figuresOf('volumeUsd'), true)).toBe(true);
});

test('typing finds a product, and Enter opens its price', async () => {
  await openMarkets();
  await press('/');
  await expect.element(page.getByRole('searchbox')).toHaveFocus();
  await userEvent.keyboard('perpetual ether');
  await expectCount(lines(), 1);
  await press('Enter');
  await expect.element(grid()).toHaveFocus();
  await expectText(activeCell(), 'PETHUIZ50');
  await press('Enter');
  await expect.poll(address).toBe('/price/PETHUIZ50');
});

test('a filter without matches says so, and a button clears it', async () => {
  await openMarkets('/?type=spread&sort=symbol');
  await page.getByRole('searchbox').fill('no such thing');
  await expect.element(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(address).toBe('/?sort=symbol');
  await expectCount(products(), 71);
});

test('the number of matches is announced while typing, but not for a filter in the address', async () => {
  const announced: (string | null)[] = [];
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target instanceof Element && target.closest('[aria-live]') !== null)
        announced.push(...[...addedNodes].map(({ textContent }) => textContent));
    }
  });
  observer.observe(document, { childList: true, subtree: true });
  await openMarkets('/?q=PBTCUC');
  await page.getByRole('searchbox').fill('no such thing');
  const counts = (): readonly (string | null)[] => announced.filter((text) => text?.endsWith(' products'));
  await expect.poll(counts).toEqual(['0 of 71 products']);
  observer.disconnect();
});

test('products are grouped by underlying, and the sums add up to the total', async () => {
  await openMarkets('/?group=underlying');
  await expectCount(groups().filter({ hasText: /▾ BTC · \d+/ }), 1);
  const sumsOf = (column: string): readonly number[] =>
    textsOf(groups().getBySelector(`[data-column="${column}"]`)).map((text) =>
      text === '–' ? -1 : Number(text.replaceAll(',', '')),
    );
  expect(isOrdered(sumsOf('volumeUsd'), true)).toBe(true);
  await expect.element(page.getByText('1 product withheld')).toBeVisible();
  // The total of notional values; each sum is rounded to a dollar separately.
  const parts = sumsOf('openInterestUsd');
  expect(Math.abs(parts.reduce((sum, part) => sum + Math.max(part, 0), 0) - 185_943_543)).toBeLessThanOrEqual(
    parts.length,
  );
});

test('a group is collapsed and expanded, and a link shows the same', async () => {
  await openMarkets('/?group=underlying&sort=symbol');
  const all = products().elements().length;
  const group = lines().filter({ hasText: /[▾▸] BTC · \d+/ });
  const collapsed = Number(/\d+/.exec(textsOf(group)[0] ?? '')?.[0]);
  await group.click();
  await expect.element(group).toHaveAttribute('aria-expanded', 'false');
  await expectCount(products(), all - collapsed);
  expect(address()).toContain('closed=BTC');
  await openMarkets(address());
  await expectCount(products(), all - collapsed);
  await group.click();
  await expectCount(products(), all);
  await press('Enter');
  await expectCount(products(), all - collapsed);
  await press('Enter');
  await expectCount(products(), all);
  expect(address()).not.toContain('closed');
});

test('favourites survive a reload, and can be shown alone', async () => {
  await openMarkets();
  await rowOf('PSOLUSZ50').getByRole('button', { name: 'PSOLUSZ50 in Favourites' }).click();
  await openMarkets();
  await expect
    .element(page.getByRole('button', { name: 'PSOLUSZ50 in Favourites' }))
    .toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect.poll(address).toBe('/?only=favourites');
  await expect.poll(() => columnOf('symbol')).toEqual(['PSOLUSZ50']);
  expect(JSON.parse(localStorage.getItem('perpdesk.watchlists') ?? '')).toHaveProperty('version', 1);
});

test('a row links to its product’s volume, funding and orders', async () => {
  await openMarkets('/?q=PBTCUCZ50');
  const linkIn = (column: string) => cellOf('PBTCUCZ50', column).getByRole('link');
  await expect.element(linkIn('openInterest')).toHaveAttribute('href', '/volume/PBTCUCZ50');
  await expect.element(linkIn('funding')).toHaveAttribute('href', '/funding/BTCUC');
  await rowOf('PBTCUCZ50').getByRole('link', { name: 'Orders in PBTCUCZ50' }).click();
  await expect
    .element(page.getByRole('list', { name: 'Filters' }))
    .toHaveTextContent('Product is PBTCUCZ50×, remove filter');
});

test('by keyboard alone: one tab stop, arrows, Home and End, sorting, and into a product', async () => {
  await openMarkets('/?sort=symbol');
  page.getByRole('button', { name: 'Group by underlying' }).element().focus();
  await press('Tab');
  await expect.element(grid()).toHaveFocus();
  await press('ArrowUp', 'ArrowRight', 'Enter');
  await expect.poll(address).toBe('/?sort=-symbol');
  await press('ArrowDown');
  await expectText(activeCell(), 'SOUHZ26-SOUHH27');
  await press('ArrowLeft', 'Space');
  await expect
    .element(page.getByRole('button', { name: 'SOUHZ26-SOUHH27 in Favourites', exact: true }))
    .toHaveAttribute('aria-pressed', 'true');
  await press('Control+End');
  await expectText(activeCell(), 'Orders');
  expect(lines().last().element().contains(activeCell().element())).toBe(true);
  await press('Tab');
  expect(grid().element().contains(document.activeElement)).toBe(false);
  await press('Shift+Tab');
  await expect.element(grid()).toHaveFocus();
  await press('Home', 'ArrowRight');
  await expectText(activeCell(), 'BUCH27');
  await press('Enter');
  await expect.poll(address).toBe('/price/BUCH27');
});

test('the CSV has the rows shown, with raw values', async () => {
  await openMarkets('/?type=perpetual&sort=-symbol');
  await expect.element(page.getByText('1 product withheld')).toBeVisible();
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  const rows = text.split('\r\n').slice(0, -1);
  expect(rows.slice(1).map((line) => line.split(',')[1])).toEqual(columnOf('symbol'));
  expect(rows[0]).toContain('settlement_usd,settlement_usd_raw');
  for (const line of rows.slice(1)) expect(line).toMatch(/GET \/api\/.*all-products/);
  expect(rows.find((line) => line.includes('PSHBUNZ50'))).toContain('The published tick size, ');
});
