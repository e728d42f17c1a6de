// Tests the age of each product's last trade.
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { changing, toRows, type Row } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectText, expectToContain, press } from '#testing/component/screen.ts';
import { activeCell, cellOf, columnOf, grid, openMarkets } from '#testing/component/markets-page.ts';

const [BITCOIN, ETHER] = [5_614, 5_608];
const MINUTE_MS = 60_000;

/** Sets a last price three ticks above the settlement, and everything that must agree with it. */
function traded(row: Row, minutesAgo: number): Row {
  const settlement = Number(row['settlement_price']);
  const last = settlement + 3;
  const [low, high] = [Math.min(Number(row['low_price']), settlement), Math.max(Number(row['high_price']), last)];
  return {
    ...row,
    last_price: last,
    last_price_time: new Date(RECORDED_AT - minutesAgo * MINUTE_MS).toISOString(),
    low_price: low,
    high_price: high,
    price_change: 3,
  };
}

/** Lets the Bitcoin perpetual trade some time ago, the Ether perpetual never, and all others a minute ago. */
function tradedAgo(minutes: number) {
  return changing(
    /\/product\/data\/\d*$/,
    toRows((row) =>
      row['product_id'] === ETHER
        ? { ...row, last_price: null, last_price_time: null, price_change: null }
        : traded(row, row['product_id'] === BITCOIN ? minutes : 1),
    ),
  );
}

test('the list shows how long ago each product traded, whenever it was read, and where that comes from', async () => {
  await openMarkets('/?type=perpetual&sort=-lastTrade', { change: tradedAgo(182) });
  for (const [symbol, text] of [
    ['PBTCUCZ50', '3 h'],
    ['PETHUIZ50', '–'],
    ['PSOLUSZ50', '1 min'],
  ] as const)
    await expectText(cellOf(symbol, 'lastTrade'), text);
  expect([columnOf('symbol').at(0), columnOf('symbol').at(-1)]).toEqual(['PBTCUCZ50', 'PETHUIZ50']);
  // The reading itself is only seconds old.
  await expect.element(page.getByText(/^\d+ s old · refreshes every \d+ s$/)).toBeVisible();
  await cellOf('PBTCUCZ50', 'lastTrade').click();
  await expectToContain(page.getByRole('dialog', { name: 'PBTCUCZ50 last trade: 3 h 02 min ago' }), 'last_price_time');
});

test('Price shows the age of an old price beside it, and no age beside a recent one', async () => {
  const last = (name: string): Locator =>
    page
      .getByRole('region', { name: `${name} current figures` })
      .getBySelector('dl > div')
      .filter({ hasText: /^Last USD/ });
  await open('/price/PBTCUCZ50', { change: tradedAgo(26) });
  await expectText(last('PBTCUCZ50').getBySelector('time').last(), '26 min ago');
  await open('/price/PBTCUCZ50', { change: tradedAgo(1) });
  await expectText(last('PBTCUCZ50'), /Last USD\s*110,210/);
  expect(last('PBTCUCZ50').element().textContent).not.toContain('ago');
});

test('a phone has the column too', async () => {
  await openMarkets('/?type=perpetual', { size: [360, 740], change: tradedAgo(180) });
  grid().element().focus();
  await press('ArrowDown', 'Home', ...Array<string>(5).fill('ArrowRight'));
  await expect.element(activeCell()).toHaveAttribute('data-column', 'lastTrade');
  await expect.element(activeCell()).toBeInViewport({ ratio: 1 });
});
