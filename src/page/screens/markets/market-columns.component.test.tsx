// Tests which columns the list has: by type, by choice, and by link.
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { address, expectCount, press } from '#testing/component/screen.ts';
import { openMarkets } from '#testing/component/markets-page.ts';

const FUNDING = ['Last funding', 'Predicted', 'APR', 'Countdown'];

const heads = (text: string): Locator => page.getByRole('columnheader').filter({ hasText: text });
const headOf = (column: string): Locator => page.getBySelector(`[role=columnheader][data-column="${column}"]`);
const chooseType = (name: string): Promise<void> => page.getByRole('radio', { name }).click();

/** Shows or hides columns with their checkboxes. */
async function toggle(...names: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of names) await page.getByRole('dialog').getByRole('checkbox', { name, exact: true }).click();
  await press('Escape');
  await expectCount(page.getByRole('dialog'), 0);
}

test('a type of product has no columns of dashes, and those that are its own', async () => {
  await openMarkets();
  for (const name of FUNDING) await expectCount(heads(name), 1);
  for (const [type, own] of [
    ['Futures', ['Expiry']],
    ['Options', ['Expiry', 'Strike', 'Call / put']],
    ['Spreads', ['Expiry', 'Legs']],
  ] as const) {
    await chooseType(type);
    for (const name of own) await expectCount(heads(name), 1);
    for (const name of FUNDING) await expectCount(heads(name), 0);
  }
  await expectCount(headOf('changePercent'), 0);
  await chooseType('Perpetuals');
  await expectCount(heads('Countdown'), 1);
  await expectCount(heads('Expiry'), 0);
  await chooseType('All');
  await expectCount(heads('Strike'), 0);
});

test('both legs of a spread can be read', async () => {
  await openMarkets('/?type=spread');
  const cells = page.getBySelector('[role=gridcell][data-column="symbol"]').elements();
  expect(cells).toHaveLength(16);
  const cut = cells
    .flatMap((cell) => [cell, ...cell.children])
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0);
  expect(cut).toEqual([]);
});

test('chosen columns survive a reload, and a phone has its own', async () => {
  await openMarkets();
  await toggle('Trend');
  await expectCount(heads('Trend'), 0);
  await openMarkets();
  await expectCount(heads('Trend'), 0);
  await page.viewport(390, 800);
  await expectCount(heads('Trend'), 1);
});

test('columns chosen for one type stay there, and are not those of all products', async () => {
  await openMarkets('/?type=option');
  await toggle('APR', 'Trend');
  await openMarkets('/?type=option');
  await expectCount(heads('APR'), 1);
  await expectCount(heads('Trend'), 0);
  await chooseType('All');
  await expectCount(heads('Trend'), 1);
});

test('a layout of all products, stored before types had their own, is the start of each', async () => {
  await openMarkets();
  await toggle('Settlement');
  await chooseType('Options');
  await expectCount(heads('Strike'), 1);
  await expectCount(headOf('settlement'), 0);
});

test('a link shows the column that it sorts by, though hidden here; hiding it ends the sorting', async () => {
  await openMarkets('/?sort=-contractSize');
  await expect.element(heads('Contract size')).toHaveAttribute('aria-sort', 'descending');
  await toggle('Contract size');
  await expectCount(heads('Contract size'), 0);
  await expect.poll(address).toBe('/');
});

test('the columns of a link are not kept: another change of the layout leaves them hidden', async () => {
  await openMarkets('/?sort=-contractSize');
  await toggle('Trend');
  await openMarkets();
  await expectCount(heads('Trend'), 0);
  await expectCount(heads('Contract size'), 0);
});
