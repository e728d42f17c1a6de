import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import { DESKTOP, mount } from '#testing/component/mount.tsx';
import { holding } from '#testing/component/change-answers.ts';
import { readCsv } from '#testing/read-csv.ts';
import {
  button,
  cells,
  expectShown,
  footer,
  list,
  openOrders,
  panel,
  pressOn,
} from '#testing/component/orders-page.ts';

test('depth opens at the spread, however far away the highest ask is, in the colours of the list', async () => {
  await openOrders();
  await button('Depth').click();
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Product' }), 'PBTCUCZ50');
  const levels = page.getByRole('region', { name: 'Price levels' });
  await expect.element(levels.getByRole('row', { name: 'Bid' }).first()).toBeInViewport({ ratio: 1 });
  await expect.element(levels.getByRole('row', { name: 'Ask' }).last()).toBeInViewport({ ratio: 1 });
  await expect.element(levels.getByRole('columnheader', { name: 'Working qty' })).toBeInViewport({ ratio: 1 });
  await expect.element(levels.getByRole('row', { name: /^Own gap/ })).toBeInViewport({ ratio: 1 });
  const heights = levels
    .getBySelector('tbody tr')
    .elements()
    .map((row) => row.getBoundingClientRect().height);
  expect([...new Set(heights)]).toEqual([28]);
  const colourOf = (element: Element): string => getComputedStyle(element).color;
  for (const side of ['Bid', 'Ask']) {
    const inList = list().getBySelector(`[role=gridcell][data-tone=${side.toLowerCase()}]`).first().element();
    expect(colourOf(levels.getBySelector(`th[data-side=${side}]`).first().element())).toBe(colourOf(inList));
  }
});

test('the depth chart reaches as far from the market as chosen, and counts the orders beyond', async () => {
  await openOrders('?f=product:is:PBTCUCZ50&beside=depth&scale=all');
  const depth = panel('Depth of your orders');
  await expect.element(depth.getBySelector('[data-market]')).toBeInTheDocument();
  await depth.getByRole('radio', { name: 'Within 5 %' }).click();
  await expect.poll(address).toContain('scale=5');
  await expect
    .poll(() => textsOf(depth)[0])
    .toMatch(/\d+ orders? further than 5 % from it (is|are) not in the chart, but in the table\./);
});

test('exposure by account has bids and asks apart, is sorted and saved, and leads to the orders of an account', async () => {
  await openOrders();
  await button('Exposure').click();
  await expect.poll(address).toContain('beside=exposure');
  const table = page.getByRole('grid', { name: 'Exposure by account' });
  await expect.element(table).toHaveAttribute('aria-rowcount', '37');
  await table.getBySelector('[role=columnheader][data-column=account]').click();
  await expect.poll(address).toContain('exposure=account');
  const row = table.getBySelector('[role=row][aria-rowindex="2"]');
  const figure = (column: string): number =>
    Math.round(Number(textsOf(row.getBySelector(`[data-column=${column}]`))[0]?.replaceAll(',', '')) * 100);
  await expectText(row.getBySelector('[data-column=account]'), 'HALC-101');
  await expectText(row.getBySelector('[data-column=orders]'), '8');
  await expect.poll(() => figure('bid')).toBeGreaterThan(0);
  expect(figure('bid') + figure('ask')).toBe(figure('gross'));
  const { name, text } = await fileSavedBy(() => button('Save as CSV').click());
  expect(name).toBe('exposure-2026-08-17T123000Z.csv');
  expect(readCsv(text)).toHaveLength(37);
  await row.getBySelector('[data-column=orders]').dblClick();
  await expectShown(8);
  await expect.element(row).toHaveAttribute('aria-current', 'true');
  await expect.element(table).toHaveAttribute('aria-rowcount', '37');
});

test.each([
  ['above zero', 'PLNKUDZ50'],
  ['below zero', 'BUCU26-BUCZ26'],
])('opening a neighbour moves the focus to its heading, at prices %s', async (_, symbol) => {
  await openOrders(`?q=${symbol}`);
  await pressOn(list(), 'Enter');
  const neighbour = panel('Order').getBySelector('dd').getByRole('button', { name: / at / }).first();
  await expectText(neighbour, / at −?[\d,.]+$/);
  const [text = ''] = textsOf(neighbour);
  await pressOn(neighbour, 'Enter');
  const heading = panel('Order').getByRole('heading', { level: 3 }).first();
  await expect.element(heading).toHaveFocus();
  await expectToContain(heading, text.replace(/^(Bid|Ask) [\d,]+ /, ''));
});

test('a spread shows its difference and the notional of its first leg, and has no notional of its own', async () => {
  await openOrders('?q=7666969781749914719&cols=side,product,remaining,price,notional,premium,difference,underlying');
  await expectText(cells('notional'), '–');
  await expectText(cells('premium'), '–');
  // 30 × 0.01 BTC at −221 ticks of 5 USD; the first leg trades at 21,974.
  await expectText(cells('difference'), '−331.50');
  await expectText(cells('underlying'), '32,961.00');
});

test('totals by side are those of the orders, each kind of value apart', async () => {
  await openOrders();
  for (const sum of ['Σ Bid 6,363 contracts of 61 products', 'Σ Ask 3,073 contracts'])
    await expectToContain(footer(), sum);
  await expect
    .poll(() => textsOf(footer())[0])
    .toMatch(
      /Σ Bid 6,363 contracts of 61 products · gross notional [\d,.]+ · gross option premium [\d,.]+ · gross spread value [\d,.]+ · underlying notional [\d,.]+ USD/,
    );
  await page.getByRole('searchbox').fill('PBTCUCZ50');
  await expectToContain(footer(), 'Σ Bid 145 contracts');
  await expectToContain(footer(), 'Σ Ask 111 contracts');
});

test('while the prices that check tick sizes are loading, sums in USD are too, and no order counts as without one', async () => {
  const { change, letGo } = holding(/\/charts\/voi/);
  await page.viewport(...DESKTOP);
  mount('/orders?group=account&beside=exposure&cols=side,notional', { change });
  const sums = /Σ Bid 6,363 contracts of 61 products · gross notional (\S+) .*USD( \(\d+ orders? without)?/;
  const inFooter = (): readonly unknown[] => textsOf(footer())[0]?.match(sums)?.slice(1) ?? [];
  await expect.poll(inFooter).toEqual(['…', undefined]);
  await expect
    .poll(() => new Set(textsOf(cells('gross', page.getByRole('grid', { name: 'Exposure by account' })))))
    .toEqual(new Set(['…']));
  await expectCount(panel('Exposure').getByText(/without a value/), 0);
  const subtotals = (): readonly string[] =>
    textsOf(list().getBySelector('[role=row][aria-expanded] [data-column=notional]'));
  await expect.poll(() => new Set(subtotals())).toEqual(new Set(['…']));
  letGo();
  await expect.poll(inFooter).toEqual([expect.stringMatching(/^[\d,.]+$/), undefined]);
  await expect.poll(() => subtotals()[0]).toMatch(/^[\d,.]+$/);
});

test('if the tick size check fails, no USD is shown, and the reason is given', async () => {
  await openOrders('?f=product:is:PSHBUNZ50');
  await expect.poll(() => textsOf(cells('price'))).toEqual(Array<string>(9).fill('n/a'));
  await expect
    .poll(() => textsOf(footer())[0])
    .toMatch(/Σ Bid 5,236 contracts · gross notional – USD \(5 orders without USD value\)/);
  await cells('price').first().click();
  await expect
    .poll(() => textsOf(page.getByRole('dialog'))[0])
    .toMatch(
      /published tick size, [\d.]+ USD, or contract size, [\d,.]+, looks wrong: together they imply about [\d,]+ times the exchange’s own USD values/,
    );
  await press('Escape');
  await expectCount(page.getByRole('dialog'), 0);
});
