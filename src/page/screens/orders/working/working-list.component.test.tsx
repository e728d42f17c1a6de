import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import {
  activeOrder,
  button,
  cells,
  columnOf,
  expectShown,
  footer,
  list,
  openOrders,
  panel,
  pressOn,
  readWorking,
  searchPalette,
} from '#testing/component/orders-page.ts';

const head = (column: string) => list().getBySelector(`[role=columnheader][data-column=${column}]`);
const rowAt = (index: number) => list().getBySelector(`[role=row][aria-rowindex="${String(index)}"]`);
const selected = () => list().getBySelector('[role=row][aria-selected=true]');

/** Returns a function that returns the text last copied to the clipboard. */
function watchCopies(): () => string {
  let text = '';
  const note = ({ clipboardData }: ClipboardEvent): void => {
    text = clipboardData?.getData('text/plain') ?? '';
  };
  document.addEventListener('copy', note);
  onTestFinished(() => {
    document.removeEventListener('copy', note);
  });
  return () => text;
}

test('every working order is listed, the newest first, and the list is complete', async () => {
  await openOrders();
  await expectShown(400);
  await expect.element(page.getByText('Complete', { exact: true }).first()).toBeVisible();
  await expect.element(list()).toHaveAttribute('aria-rowcount', '401');
  const newest = (await readWorking()).orders.map(({ id }) => BigInt(id)).toSorted((a, b) => (a < b ? 1 : -1));
  expect(columnOf('id').slice(0, 10)).toEqual(newest.slice(0, 10).map(String));
  // A laptop's width shows what each order is, its owner, its age and its status.
  for (const column of ['side', 'product', 'account', 'price', 'remaining', 'underlying', 'age', 'status'])
    await expect.element(head(column)).toBeInViewport({ ratio: 1 });
});

test('by keyboard alone an order is found by typing, opened, explained, closed, and the cursor is back where it was', async () => {
  await openOrders();
  await press('/');
  await userEvent.keyboard('PETHUIZ50 ask');
  await expectShown(7);
  await press('Enter');
  await expect.element(list()).toHaveFocus();
  await press('ArrowDown', 'ArrowDown');
  await expect.poll(activeOrder).toBe('7666919543402020313');
  await press('Enter');
  const beside = panel('Order');
  await expectToContain(beside, '7666919543402020313');
  expect(address()).toContain('order=7666919543402020313');
  await press('i');
  await expectToContain(page.getByRole('dialog'), 'GET /api/desk/working');
  await press('Escape');
  await expect.element(list()).toHaveFocus();
  expect(activeOrder()).toBe('7666919543402020313');
  await pressOn(beside.getByRole('button', { name: 'Close' }), 'Enter');
  await expectCount(beside, 0);
  await expect.element(list()).toHaveFocus();
  expect(activeOrder()).toBe('7666919543402020313');
});

test('by keyboard alone the list is sorted from its head, scrolled to its end and filtered by the value in focus', async () => {
  await openOrders();
  await press('/', 'Enter', 'ArrowUp', 'Enter');
  await expect.poll(address).toContain('sort=side');
  await expect.element(head('side')).toHaveAttribute('aria-sort', 'ascending');
  await press('Control+End');
  await expect.element(rowAt(401)).toBeVisible();
  await press('Home', 'f');
  await expect.element(page.getByRole('button', { name: 'Side is Bid' })).toBeVisible();
  await expectShown(192);
  expect(new Set(columnOf('side').map((side) => side.trim()))).toEqual(new Set(['Bid']));
});

test('Escape clears the selection first, then closes the panel, from the list and from the panel', async () => {
  await openOrders();
  await pressOn(list(), 'ArrowDown', 'Enter', 'Space', 'Escape');
  await expect.element(panel('Order')).toBeVisible();
  await expectCount(selected(), 0);
  await press('Escape');
  await expectCount(panel('Order'), 0);
  expect(address()).not.toContain('beside=');
  await expect.element(list()).toHaveFocus();
  await press('Enter');
  await pressOn(panel('Order').getByRole('button', { name: 'Close' }), 'Escape');
  await expectCount(panel('Order'), 0);
  await expect.element(list()).toHaveFocus();
});

test('selected rows and cells are counted and added up; without a selection the totals are of all', async () => {
  await openOrders('?f=side:is:Bid');
  await expectToContain(footer(), 'Σ Bid 6,363 contracts');
  const quantities = columnOf('remaining').map(Number);
  await pressOn(list(), 'Space', 'ArrowDown', 'Space');
  await expectToContain(footer(), ', 2 selected');
  await expectToContain(
    footer(),
    `Σ selected Bid ${String((quantities[0] ?? NaN) + (quantities[1] ?? NaN))} contracts`,
  );
  await press('Escape');
  await expect.poll(() => textsOf(footer())[0]).not.toContain('selected');
  await press('Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
  await expectToContain(footer(), ', 3 selected');
  await page.getByRole('searchbox').fill('no such order');
  await expect.poll(() => textsOf(footer())[0]).not.toContain('selected');
});

test('a copy holds the cells as a spreadsheet takes them, and says how many selected orders are not shown', async () => {
  const copied = watchCopies();
  await openOrders();
  await press('/', 'Enter', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c');
  await expect.poll(copied).toBe('Ask\tPLNKUDZ50\nBid\tBUSU26-BUSZ26');
  await press('Escape', 'Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space', 'Control+c');
  await expectToContain(footer(), 'Copied 3 rows.');
  await page.getByRole('searchbox').fill(activeOrder());
  await expect.element(list()).toHaveAttribute('aria-rowcount', '2');
  await press('ArrowDown', 'Control+c');
  const message =
    'Copied 1 row. The copy is INCOMPLETE: 2 selected rows are not shown (filtered, in a closed group, gone or not loaded).';
  await expectToContain(footer(), message);
  await expectToContain(page.getBySelector('[aria-live=polite]'), message);
  expect(copied().split('\n')).toHaveLength(2);
});

test('the column layout is kept until it is reset', async () => {
  const widthOf = (): number => head('side').element().getBoundingClientRect().width;
  await openOrders();
  const before = widthOf();
  await pressOn(list(), 'ArrowUp', 'Alt+ArrowRight');
  await expect.poll(widthOf).toBeGreaterThan(before);
  const after = widthOf();
  await button('Columns').click();
  await page.getByRole('checkbox', { name: 'Product type' }).click();
  await press('Escape');
  await expect.poll(address).toContain('cols=side');
  await openOrders();
  await expect.poll(widthOf).toBe(after);
  await expectCount(head('type'), 0);
  await button('Columns').click();
  await button('Reset to defaults').click();
  await press('Escape');
  await expect.poll(widthOf).toBe(before);
  await expectText(head('type'), 'Product type');
});

test('the command palette sorts by a column and filters by an account, whose code stays out of the address', async () => {
  await openOrders();
  await searchPalette('working notional');
  await page.getByRole('option', { name: 'Sort by this column' }).first().click();
  await expectCount(page.getByRole('dialog'), 0);
  await expect.element(head('notional')).toHaveAttribute('aria-sort', 'descending');
  await searchPalette('MERI-103');
  await page.getByRole('option', { name: 'Show only this account' }).click();
  await expectShown(8);
  expect(new Set(textsOf(cells('account')))).toEqual(new Set(['MERI-103']));
  expect(address()).not.toContain('MERI-103');
});

test.each([
  [390, 844],
  [360, 740],
])('at %i × %i the list begins in the first half of the screen, with whole quantities', async (width, height) => {
  await openOrders('', { size: [width, height] });
  expect(list().element().getBoundingClientRect().y).toBeLessThan(height / 2);
  await expect.element(head('remaining')).toBeInViewport({ ratio: 1 });
  await expect.element(cells('remaining').first()).toBeInViewport({ ratio: 1 });
  await expectCount(list().getBySelector('[data-column=remaining][data-long]'), 0);
  await pressOn(button('Tools'), 'Enter');
  await expect.element(button('Tools')).toHaveAttribute('aria-expanded', 'true');
  await expect.element(button('Export')).toBeVisible();
});

test('the age of a paused list has its place from the start, so that the list does not move as it grows', async () => {
  await openOrders();
  await expectShown(400);
  await press('p');
  const mark = page.getBySelector('[data-freshness=paused]');
  await expectText(mark, /^paused, \d s old/);
  const { width } = mark.element().parentElement?.getBoundingClientRect() ?? {};
  vi.setSystemTime(Date.now() + 59 * 60_000);
  await expectText(mark, /^paused, 59 min old/);
  expect(mark.element().parentElement?.getBoundingClientRect().width).toBe(width);
});
