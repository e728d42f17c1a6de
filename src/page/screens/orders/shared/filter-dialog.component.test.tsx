import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import {
  button,
  cells,
  changing,
  chip,
  chips,
  columnOf,
  expectFilter,
  expectShown,
  list,
  openFilter,
  openOrders,
  pressOn,
  searchPalette,
  WORKING,
  type Working,
} from '#testing/component/orders-page.ts';

const addressFilters = (): readonly string[] => new URLSearchParams(location.search).getAll('f');

test('times are filtered by a range that may count back from now, never by a list of instants', async () => {
  await openOrders();
  const dialog = await openFilter('time');
  await expectCount(dialog.getByRole('checkbox'), 0);
  await dialog.getByRole('button', { name: 'More than 1 hour ago' }).click();
  await expectFilter('Accepted more than 1 h ago');
  await expect.poll(addressFilters).toEqual(['time:within:~1 h ago']);
  await expectShown(374);
  await expectToContain(dialog, 'Accepted more than 1 h ago: 374 of 400 working orders');
  await openOrders(location.search);
  await expect.element(chip('Accepted more than 1 h ago')).toBeVisible();
});

test('a time is written as people do; what is no time changes nothing and says so', async () => {
  await openOrders();
  const dialog = await openFilter('time');
  const to = dialog.getByLabelText('To', { exact: true });
  await to.fill('soon');
  await expect.element(dialog.getByText('Not a time')).toBeVisible();
  expect(addressFilters()).toEqual([]);
  await to.fill('2026-08-15');
  await expectCount(dialog.getByText('Not a time'), 0);
  await expectFilter('Accepted up to 2026-08-15 (UTC)');
  await expectShown(162);
  await dialog.getByLabelText('From', { exact: true }).fill('2 weeks');
  await expectFilter('Accepted from 2 w ago to 2026-08-15 (UTC)');
  await expectShown(50);
  await dialog.getByRole('button', { name: 'Clear filter' }).click();
  await expect.element(to).toHaveValue('');
});

test('ids are searched by a part, by their beginning, or by several whole ones', async () => {
  await openOrders();
  const dialog = await openFilter('id');
  await expectCount(dialog.getByRole('checkbox'), 0);
  await dialog.getByLabelText('Digits').fill('76669697');
  await dialog.getByRole('radio', { name: 'Starts with' }).click();
  await expectFilter('Order ID starts with 76669697');
  await expectShown(2);
  await dialog.getByRole('radio', { name: 'Is', exact: true }).click();
  await dialog.getByLabelText(/^IDs/).fill('7666969405552257546, 7666969337825410567');
  await expectFilter('Order ID is');
  await expectShown(2);
  await dialog.getByRole('button', { name: 'Close' }).click();
  expect(columnOf('id')).toEqual(['7666969405552257546', '7666969337825410567']);
});

test('filters of numbers say what values there are, and a cleared bound stays cleared', async () => {
  await openOrders();
  const dialog = await openFilter('remaining');
  await expectToContain(dialog, 'Values are between 1 and 1,457.');
  await dialog.getByLabelText('At least').fill('5');
  await expectToContain(dialog, 'Working qty at least 5: 183 of 400 working orders');
  await dialog.getByRole('button', { name: 'Clear filter' }).click();
  await expect.element(dialog.getByLabelText('At least')).toHaveValue(null);
  await dialog.getByLabelText('At most').fill('7');
  await expectFilter('Working qty at most 7');
});

test('a long list of values is searched; those selected come first, also when no order has them any more', async () => {
  await openOrders('?f=product:is:NOSUCH~BUCH27');
  const dialog = await openFilter('product');
  // Lists 50 of 69 values: those of 68 products, and one that no order has.
  await expectCount(dialog.getByRole('checkbox'), 50);
  await expect.element(dialog.getByText('19 more: search to find them')).toBeVisible();
  await expect.element(dialog.getByRole('checkbox').nth(0)).toHaveAccessibleName('NOSUCH 0');
  await expect.element(dialog.getByRole('checkbox').nth(1)).toHaveAccessibleName('BUCH27 1');
  await dialog.getByLabelText('Search', { exact: true }).fill('no such product');
  await expect.element(dialog.getByText('No value contains “no such product”.')).toBeVisible();
});

test('a search keeps selected values, and may become a filter itself', async () => {
  await openOrders();
  const dialog = await openFilter('account');
  await dialog.getByRole('checkbox', { name: 'HALC-101' }).click();
  await dialog.getByLabelText('Search', { exact: true }).fill('halc-102');
  await dialog.getByRole('checkbox', { name: 'HALC-102' }).click();
  await expectFilter('Account is HALC-101 or HALC-102');
  await dialog.getByRole('button', { name: 'Contains “halc-102”' }).click();
  await expectFilter('Account contains halc-102');
});

test('links by a part of a time, or by one instant, still filter, and say so', async () => {
  await openOrders('?f=time:is:2026-08-17T12:29:41.749914719Z&f=lastModified:has:T');
  await expectShown(1);
  await expectToContain(await openFilter('time'), 'Accepted is 2026-08-17T12:29:41.749914719Z: 1 of 400');
});

test('the focus stays with the filters as they are removed, and moves to the list with the last', async () => {
  await openOrders('?f=side:is:Bid&f=account:has:a&f=remaining:between:1~');
  const each = () => chips().getByRole('button');
  await pressOn(each().nth(1), 'Enter');
  await expectCount(each(), 2);
  await expect.element(each().nth(1)).toHaveFocus();
  await press('Enter');
  await expectCount(each(), 1);
  await expect.element(each()).toHaveFocus();
  await press('Enter');
  await expectCount(each(), 0);
  await expect.element(list()).toHaveFocus();
});

/** Makes the two oldest orders equal except for their ids. */
const doublingOldest = changing(WORKING, ({ orders, ...answer }: Working) => {
  const [first, second, ...others] = orders.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  return { ...answer, orders: [first, { ...first, id: second?.id }, ...others] };
});

test('quick filters say how many orders each finds, and are filters of the address', async () => {
  await openOrders('', { change: doublingOldest });
  await button('Quick filters').click();
  for (const [name, filter, text, count] of [
    ['20 % or more away', 'distance:between:20~', 'Distance at least 20 %', 126],
    ['Accepted more than 1 week ago', 'time:within:~1 w ago', 'Accepted more than 1 w ago', 129],
    ['Same account, product, side and price', 'duplicates:between:1~', 'Duplicates at least 1', 2],
  ] as const) {
    const filterButton = page.getByRole('dialog').getByRole('button', { name });
    await expectText(filterButton, new RegExp(`\\b${String(count)}$`));
    await pressOn(filterButton, 'Enter');
    await expect.element(filterButton).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(addressFilters).toEqual([filter]);
    await expectFilter(text);
    await expectShown(count);
    await press('Enter');
    await expect.poll(addressFilters).toEqual([]);
  }
});

test('of orders sent twice, both are found, and each says so', async () => {
  await openOrders('?f=duplicates:between:1~&sort=time&cols=side,product,account,price,duplicates,id', {
    change: doublingOldest,
  });
  await expect.poll(() => columnOf('duplicates')).toEqual(['1', '1']);
  await cells('duplicates').first().click();
  await expectToContain(page.getByRole('dialog'), 'with the same product, side and price');
});

test('orders far from the market are found by a range of distances, the farthest first', async () => {
  await openOrders('?f=distance:between:20~&sort=-distance');
  await expectShown(126);
  await expect.element(chip('Distance at least 20 %')).toBeVisible();
  await expect.poll(() => textsOf(cells('distance').first())[0]).toMatch(/^1,656\.67/);
  await cells('distance').first().click();
  await expect.poll(() => document.body.textContent).toMatch(/productDataAll (last_price|settlement_price) = \d+/);
});

test('a quick filter without matches leaves an empty list, and the way back', async () => {
  mount('/orders?f=underlying:between:1000000000000000~');
  await expect.element(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await button('Clear filter').click();
  await expect.element(list()).toBeVisible();
});

test('quick filters are commands of the palette', async () => {
  await openOrders();
  await searchPalette('duplicates same account');
  await page.getByRole('option', { name: /Possible duplicates: Same account/ }).click();
  await expect.poll(address).toContain('duplicates');
});
