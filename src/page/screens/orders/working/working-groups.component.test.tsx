import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { address, expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import { button, cells, columnOf, footer, list, openOrders, panel, pressOn } from '#testing/component/orders-page.ts';

const groups = () => list().getBySelector('[role=row][data-group]');
const rowAt = (index: number) => list().getBySelector(`[role=row][aria-rowindex="${String(index)}"]`);
const head = (column: string) => list().getBySelector(`[role=columnheader][data-column=${column}]`);
const groupBy = (by: string): Promise<void> => userEvent.selectOptions(page.getByLabelText('Group by'), by);

async function scrollToLine(line: number): Promise<void> {
  const grid = list().element();
  const { offsetHeight = NaN } = grid.querySelector<HTMLElement>('[data-part=body] > [role=row]') ?? {};
  grid.scrollTop = line * offsetHeight;
  await expect.element(rowAt(line + 8)).toBeVisible();
}

/** Returns the first fully visible order and its position on screen. */
function placeOfTop(): { readonly id: string; readonly y: number } | undefined {
  const grid = list().element();
  const head = grid.querySelector('[data-part=head]')?.getBoundingClientRect().bottom ?? NaN;
  const rows = [...grid.querySelectorAll('[data-part=body] > [role=row]')].map((row) => ({
    id: row.querySelector('[data-column=id]')?.textContent ?? '',
    y: row.getBoundingClientRect().y,
  }));
  return rows.filter(({ y }) => y >= head).toSorted((a, b) => a.y - b.y)[0];
}

test('groups have totals, which add up to those of the footer', async () => {
  await openOrders('?f=side:is:Bid');
  await groupBy('account');
  await expect.poll(address).toContain('group=account');
  await expect.element(rowAt(2)).toHaveAttribute('aria-expanded', 'true');
  await expectToContain(rowAt(2), 'HALC-101 · 4');
  await expectText(rowAt(2).getBySelector('[data-column=remaining]'), '40');
  await groupBy('firm');
  for (const line of [2, 3, 4]) await rowAt(line).getBySelector('[data-column=side]').click();
  await expect.element(list()).toHaveAttribute('aria-rowcount', '4');
  await expect.poll(() => columnOf('remaining')).toEqual(['2,931', '2,738', '694']);
  await expectToContain(footer(), 'Σ Bid 6,363 contracts of 61 products');
});

test('orders are grouped by account and side, each with totals, and by bands of distance, the nearest first', async () => {
  await openOrders();
  await groupBy('account,side');
  await expect.poll(address).toContain('group=account%2Cside');
  await expect.element(groups().nth(0)).toHaveAttribute('aria-level', '1');
  await expect.element(groups().nth(1)).toHaveAttribute('aria-level', '2');
  await expectText(groups().nth(1).getBySelector('[data-column=underlying]'), /^[\d,]+\.\d\d$/);
  await groupBy('band');
  await expect.poll(address).toContain('group=band');
  await expect.poll(() => textsOf(groups().first())[0]).toMatch(/At or through the market|Up to 1 % away/);
});

test('totals of groups are never cut, and the headings say what they are', async () => {
  const totals = () => groups().getBySelector(':scope > [data-kind=number]');
  await openOrders();
  await expect.poll(() => textsOf(head('underlying'))[0]).toMatch(/USD$/);
  for (const group of ['account', 'side', 'product']) {
    await groupBy(group);
    await expectToContain(head('underlying'), 'USD, gross totals');
    expect(head('remaining').element().textContent).toBe(
      group === 'product' ? 'Working qty' : 'Working qtymixed sizes',
    );
    await expect.element(totals().filter({ hasText: /\d/ }).first()).toBeVisible();
    await expectCount(groups().getBySelector(':scope > [data-kind=number][data-long]'), 0);
    await head('underlying').click();
    await expectCount(groups().getBySelector(':scope > [data-kind=number][data-long]'), 0);
  }
});

test('the ring of an active group is around its line, not around a part of its name', async () => {
  await openOrders('?group=account');
  await pressOn(list());
  await expect.element(groups().first()).toHaveStyle({ outlineStyle: 'solid' });
  await expect.element(groups().first().getBySelector(':scope > :first-child')).toHaveStyle({ outlineStyle: 'none' });
});

test('a group is folded where it stands', async () => {
  await openOrders('?group=account');
  // The second account follows the first account's line and its eight orders.
  await scrollToLine(5);
  const second = groups().filter({ hasText: 'HALC-102' });
  const before = second.element().getBoundingClientRect().toJSON() as unknown;
  await second.click();
  await expect.element(second).toHaveAttribute('aria-expanded', 'false');
  expect(second.element().getBoundingClientRect().toJSON()).toEqual(before);
});

test('the line of a group is cut off nowhere, whatever the line before it in its place was', async () => {
  await openOrders('?cols=id,price&group=account');
  // The column is narrower than an id, so the cells of orders are cut off.
  await pressOn(list(), 'ArrowUp', 'Alt+ArrowLeft', 'Alt+ArrowLeft', 'ArrowDown');
  for (let seen = 0; seen < 5; seen += groups().elements().length) {
    await press('PageDown');
    await expectCount(groups().getBySelector('[data-long]'), 0);
  }
  await expect.element(list().getBySelector('[role=row]:not([data-group]) > [data-long]').first()).toBeInTheDocument();
});

test('scroll position and selection stay while a panel opens', async () => {
  await openOrders();
  await scrollToLine(200);
  const before = placeOfTop();
  await button('Depth').click();
  await expect.element(panel('Depth of your orders')).toBeVisible();
  expect(placeOfTop()).toEqual(before);
  await cells('id')
    .filter({ hasText: columnOf('id')[12] ?? '' })
    .click();
  await press('Shift+ArrowDown');
  await expectCount(list().getBySelector('[data-range][aria-selected=true]'), 2);
  await expectToContain(page.getBySelector('[aria-live=polite]'), 'Selected 2 rows by 1 column.');
  await press('Enter');
  await expect.element(panel('Order')).toBeVisible();
  expect(placeOfTop()).toEqual(before);
  await expectCount(list().getBySelector('[data-range]'), 2);
});
