import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { address, expectCount, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { button, cells, columnOf, footer, panel, pressOn } from '#testing/component/orders-page.ts';
import { ENDING, grid, inColumn, openHistory, scrollToEnd, searchbox } from '#testing/component/history-page.ts';

const NEWEST = '7666969781749914719';

test('scrolling loads to the end, which says why, and requests no page twice', async () => {
  const { queries } = await openHistory('', { change: ENDING });
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '-1');
  await scrollToEnd();
  await expectToContain(footer(), '1,000 loaded in 2 requests');
  await expectToContain(footer(), 'All orders loaded: the last page has no cursor');
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '1001');
  expect(queries().map((query) => query.has('cursor'))).toEqual([false, true]);
});

test('oldest first is requested by the sort order or by the heading of the time column', async () => {
  const { queries } = await openHistory('?f=product:is:PBTCUCZ50');
  await page.getByRole('radio', { name: 'Oldest first' }).click();
  await expect.poll(() => queries().at(-1)?.get('order')).toBe('asc');
  await expect.element(footer().getByText(/^up to /)).toBeVisible();
  expect(columnOf('time', grid())[0]).toContain('2024-08-17');
  await grid()
    .getByRole('columnheader', { name: /^Accepted/ })
    .click();
  await expect.poll(() => queries().at(-1)?.get('order')).toBe('desc');
  await expect.poll(() => columnOf('time', grid())[0]).toContain('2026-08-17');
});

test('loading to a date says beforehand what it costs, and loads that far', async () => {
  const { queries } = await openHistory('', { change: ENDING });
  await button('Load until…').click();
  await page.getByRole('textbox', { name: 'Load back to (UTC)' }).fill('2026-08-01');
  // The first page reaches back 4.4 days, and the date is 12.1 days before it.
  await expectToContain(page.getByRole('dialog'), 'About 3 requests for 1,500 orders');
  await button('Load').click();
  await expect.element(page.getByText(/^All orders are loaded/)).toBeVisible();
  await expectCount(button('Cancel'), 0);
  expect(queries()).toHaveLength(2);
});

test('by keyboard alone: into the list, to its last row, to an order and back', async () => {
  await openHistory('', { change: ENDING });
  await pressOn(searchbox(), 'ArrowDown', 'Control+End');
  await expectToContain(footer(), '1,000 loaded in');
  await press('Control+Home', 'Enter');
  await expect.element(panel('Order')).toBeVisible();
  await expect.element(grid().getBySelector('[role=row][aria-current=true]')).toHaveAttribute('aria-rowindex', '2');
  await pressOn(panel('Order').getByRole('button', { name: 'Close' }), 'Enter');
  await expect.element(grid()).toHaveFocus();
  await expectCount(grid().getBySelector('[aria-current]'), 0);
});

test('by keyboard alone: a new query, by `F` or by a column heading, keeps the focus in the list', async () => {
  const { queries } = await openHistory('?q=PBTCUCZ50');
  await pressOn(searchbox(), 'ArrowDown', 'ArrowRight', 'f');
  await expect.poll(() => queries().at(-1)?.get('symbol')).toBe('PBTCUCZ50');
  await expect.element(grid()).toHaveFocus();
  await grid()
    .getByRole('columnheader', { name: /^Accepted/ })
    .click();
  await press('Control+Home');
  await expect.poll(() => queries().at(-1)?.get('order')).toBe('asc');
  await expect.element(grid()).toHaveFocus();
  await press('ArrowUp');
  const active = (): string | undefined =>
    document.getElementById(grid().element().getAttribute('aria-activedescendant') ?? '')?.dataset['column'];
  while (active() !== 'time') await press('ArrowRight');
  await press('Enter');
  await expect.poll(() => queries().at(-1)?.get('order')).toBe('desc');
  await expect.element(grid()).toHaveFocus();
});

test('a filter of the page says how many rows it applies to, and a copy how many of the selected rows are missing', async () => {
  await openHistory('', { change: ENDING });
  await pressOn(searchbox(), 'ArrowDown', 'Space');
  await expectCount(grid().getBySelector('[role=row][aria-selected=true]'), 1);
  await expectToContain(footer(), '1 selected of the 500 loaded, more available');
  // The selected order is an ask, so this filter hides it.
  await searchbox().fill('Bid');
  await expectToContain(footer(), '247 match the filter, of 500 in memory');
  expect(new Set(inColumn('side'))).toEqual(new Set(['Bid']));
  await pressOn(searchbox(), 'ArrowDown', 'Control+c');
  await expectToContain(
    footer(),
    'Copied 0 rows. The copy is INCOMPLETE: 1 selected row is not shown (filtered, in a closed group, gone or not loaded).',
  );
  await button('Load more').click();
  await expectToContain(footer(), 'match the filter, of 1,000 in memory');
  await expectToContain(footer(), '1 selected of all 1,000 orders');
});

test('orders near an order have the quantity they were sent with, also when filled', async () => {
  await openHistory('?f=product:is:PBTCUCZ50&q=filled');
  await pressOn(searchbox(), 'ArrowDown', 'Enter');
  const near = panel('Order').getByRole('button', { name: /^(Bid|Ask) / });
  await expect.element(near.first()).toBeVisible();
  for (const text of textsOf(near)) expect(text).toMatch(/^(Bid|Ask) [1-9]/);
});

test('an order that another filter of the exchange leaves out is closed; a link to one that is not loaded stays, and says so', async () => {
  await openHistory();
  await pressOn(grid(), 'Enter');
  await expectToContain(panel('Order'), NEWEST);
  await page.getByRole('textbox', { name: 'Product', exact: true }).fill('PBTCUCZ50');
  await press('Enter');
  await expectCount(panel('Order'), 0);
  expect(address()).not.toContain('order=');
  await openHistory('?order=1');
  await expectToContain(panel('Order'), 'Order 1 is not among the orders loaded.');
});

test.each([
  [390, 844],
  [360, 740],
])('at %i × %i the list begins in the first half of the screen, with whole quantities', async (width, height) => {
  await openHistory('', { size: [width, height] });
  expect(grid().element().getBoundingClientRect().y).toBeLessThan(height / 2);
  await expect.element(grid().getByRole('columnheader', { name: 'Filled / qty' })).toBeInViewport({ ratio: 1 });
  await expect.element(cells('filled', grid()).first()).toBeInViewport({ ratio: 1 });
});

test('a hidden page does not check for newer orders, and does as soon as it is visible', async () => {
  const { queries } = await openHistory('', { timers: 'faked' });
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  const before = queries().length;
  await vi.advanceTimersByTimeAsync(95_000);
  expect(queries()).toHaveLength(before);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => queries().length).toBe(before + 1);
});
