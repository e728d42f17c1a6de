import { page, userEvent, type Locator } from 'vitest/browser';
import { beforeEach, expect, it, vi } from 'vitest';
import { expectAccessible } from '#testing/component/looks.ts';
import { mountGrid } from '#testing/component/lone-grid.tsx';
import { expectCount, expectText, expectToContain, press, textsOf } from '#testing/component/screen.ts';
import type { GridMark } from './grid-props.ts';

const grid = (): Locator => page.getByRole('grid', { name: 'Orders' });
/** Finds a row by its place in the whole list; the header is the first. */
const line = (index: number): Locator => page.getBySelector(`[aria-rowindex="${String(index)}"]`);
const cellOf = (index: number, column: string): Locator => line(index).getBySelector(`[data-column="${column}"]`);
const head = (name: string): Locator => page.getByRole('columnheader', { name });
const selectedOrders = (): Locator => page.getBySelector('[role=row][aria-selected=true] > [data-column=id]');
const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();

/** Returns the text of the active cell. The first keys may wait for the grid’s code. */
function activeText(): string {
  return (
    document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? ''
  );
}

/** Returns the order that each row on screen shows, by vertical position. */
function rowsOnScreen(): readonly (readonly [y: number, order: string])[] {
  return [...document.querySelectorAll('[role=row]:has([data-column=id][role=gridcell])')]
    .map(
      (row) =>
        [Math.round(row.getBoundingClientRect().y), row.querySelector('[data-column=id]')?.textContent ?? ''] as const,
    )
    .filter(([y]) => y >= 40 && y < 400)
    .sort(([a], [b]) => a - b);
}

function expectInView(locator: Locator): void {
  const { left, right, top, bottom } = boxOf(locator);
  expect([left >= 0, right <= innerWidth, top >= 0, bottom <= innerHeight]).toEqual([true, true, true, true]);
}

/** Mounts a grid of many rows and focuses it. */
function openFocused(): ReturnType<typeof mountGrid> {
  const recorded = mountGrid();
  focusGrid();
  return recorded;
}

function focusGrid(): void {
  document.querySelector<HTMLElement>('[aria-label=Orders]')?.focus();
}

beforeEach(async () => {
  await page.viewport(900, 440);
});

it('reports its whole size and the index of each row it draws', async () => {
  mountGrid();
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '10001');
  await expect.element(grid()).toHaveAttribute('aria-colcount', '6');
  grid().element().scrollTop = 5_000 * 28;
  await expectText(cellOf(5_002, 'id'), '7669999999999995000');
  expect(page.getBySelector('[role=row]').elements().length).toBeLessThan(30);
  await expect.element(cellOf(5_002, 'id')).toHaveAttribute('aria-colindex', '6');
});

it('is one tab stop, navigated by arrows, Page and End keys', async () => {
  mountGrid();
  await press('Tab');
  await expect.element(grid()).toHaveFocus();
  await expect.poll(activeText).toBe('BUSZ26');
  await press('ArrowDown', 'End');
  await expect.poll(activeText).toBe('7669999999999999999');
  await press('Control+End');
  await expect.poll(activeText).toBe('7669999999999990001');
  await press('PageUp', 'Control+Home');
  await expect.poll(activeText).toBe('BUSZ26');
  await press('ArrowUp');
  await expect.poll(activeText).toContain('Product');
  await press('Tab');
  await expect.element(grid()).not.toHaveFocus();
});

it('handles clicks and keys pressed before its input code is loaded', async () => {
  const recorded = openFocused();
  for (const type of ['pointerdown', 'click'])
    document
      .querySelector('[role=columnheader][data-column=price]')
      ?.dispatchEvent(new PointerEvent(type, { bubbles: true }));
  for (const key of ['ArrowDown', 'ArrowDown', ' '])
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect(recorded.state.sorts).toEqual([]);
  await expect.poll(() => recorded.state.sorts).toEqual([{ id: 'price', desc: true }]);
  await expectCount(selectedOrders(), 1);
});

it('keeps the active row and the scroll position when rows are added', async () => {
  const { arrive } = openFocused();
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'End');
  await expect.poll(activeText).toBe('7669999999999999997');
  const before = rowsOnScreen();
  arrive(5);
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '10006');
  await expect.poll(activeText).toBe('7669999999999999997');
  await expect.poll(rowsOnScreen).toEqual(before);
});

it('keeps the visible rows in place when rows are added above', async () => {
  const { arrive } = mountGrid();
  grid().element().scrollTop = 3_003;
  await expect.element(line(110)).toBeVisible();
  const before = rowsOnScreen();
  arrive(7);
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '10008');
  await expect.poll(rowsOnScreen).toEqual(before);
});

it('returns to the active row after scrolling away', async () => {
  openFocused();
  await press('ArrowDown', 'End');
  await expect.poll(activeText).toBe('7669999999999999999');
  grid().element().scrollTop = 100_000;
  await expect.element(grid()).not.toHaveAttribute('aria-activedescendant');
  await press('ArrowDown');
  await expect.poll(activeText).toBe('7669999999999999998');
});

it('sorts from the header, by several columns with Shift, missing values last in both directions', async () => {
  openFocused();
  await press('ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter');
  await expect.element(head('Account')).toHaveAttribute('aria-sort', 'ascending');
  await expectText(cellOf(2, 'account'), 'ACCT-1000');
  await press('End', 'Shift+Enter', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await expectToContain(head('Account'), '1');
  await press('Enter');
  await expect.element(head('Account')).toHaveAttribute('aria-sort', 'descending');
  await expectText(cellOf(2, 'account'), 'ACCT-1006');
  await press('Control+End');
  await expectText(cellOf(10_001, 'account'), '–');
});

it('moves and resizes a column by keyboard', async () => {
  openFocused();
  await press('ArrowUp', 'ArrowRight', 'ArrowRight', 'Shift+ArrowLeft');
  await expectToContain(page.getByRole('columnheader').nth(1), 'Price');
  await expect.poll(activeText).toContain('Price');
  expect(boxOf(head('Price')).width).toBe(90);
  await press('Alt+ArrowRight');
  await expect.poll(() => boxOf(head('Price')).width).toBe(106);
});

it('opens, explains, filters by value, selects rows and opens the column menu', async () => {
  const recorded = openFocused();
  await press(
    'ArrowDown',
    'Enter',
    'ArrowRight',
    'i',
    'Space',
    'ArrowDown',
    'ArrowDown',
    'Shift+Space',
    'Shift+F10',
    'f',
  );
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '5001');
  expect(recorded).toMatchObject({
    opened: ['7669999999999999999'],
    explained: ['7669999999999999999 side'],
    menus: ['side'],
    state: { filters: { side: { kind: 'is', texts: ['Ask'] } } },
  });
  expect(textsOf(selectedOrders()).toSorted()).toEqual(['7669999999999999997', '7669999999999999999']);
  await press('f');
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '10001');
  expect(textsOf(selectedOrders()).toSorted()).toEqual([
    '7669999999999999997',
    '7669999999999999998',
    '7669999999999999999',
  ]);
});

it('repeats movements while a key is held down, other commands run once', async () => {
  openFocused();
  await userEvent.keyboard('{ArrowDown>3/}');
  await press('End');
  await expect.poll(activeText).toBe('7669999999999999997');
  await userEvent.keyboard('{f>2/}');
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '2');
  await userEvent.keyboard('{ >2/}');
  await expectCount(selectedOrders(), 1);
});

it('ignores the second key of a navigation shortcut', async () => {
  const recorded = openFocused();
  await press('g', 'f', 'ArrowDown');
  await expect.poll(activeText).toBe('PBUSZ50');
  expect(recorded.state.filters).toEqual({});
});

it('copies a range as spreadsheet cells', async () => {
  openFocused();
  await press('ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await expect.element(page.getBySelector('[role=gridcell][aria-selected=true]').first()).toBeVisible();
  const copied = vi.fn((event: ClipboardEvent) => event.clipboardData?.getData('text/plain'));
  document.addEventListener('copy', copied, { once: true });
  await press('Control+c');
  await expect
    .poll(() => copied.mock.results)
    .toEqual([{ type: 'return', value: '23,000\t0 / 10\t\n23,919\t1 / 10\tACCT-1001' }]);
});

it('groups with sums, and sums closed groups too', async () => {
  mountGrid().change({ grouping: ['product'] });
  await expectToContain(line(2), 'BUSZ26 · 3,334');
  await expectText(cellOf(2, 'filled'), '6,668');
  await expect.element(line(2)).toHaveAttribute('aria-level', '1');
  await expect.element(line(3)).toHaveAttribute('aria-level', '2');
  focusGrid();
  await press('Control+Home', 'Enter');
  await expect.element(line(2)).toHaveAttribute('aria-expanded', 'false');
  await expectText(cellOf(2, 'filled'), '6,668');
  await expectToContain(line(3), 'PBUSZ50 · 3,333');
  await expect
    .element(page.getByRole('treegrid', { name: 'Orders' }))
    .toHaveAttribute('aria-rowcount', String(10_000 - 3_334 + 3 + 1));
});

it('shows placeholders for rows not in memory, and reports when the end is near', async () => {
  const recorded = mountGrid({ sparse: 1_000_000 });
  await expect.element(grid()).toHaveAttribute('aria-rowcount', '1000001');
  focusGrid();
  await press('Control+End');
  await expect.element(line(1_000_001)).toHaveAttribute('data-pending');
  expectInView(line(1_000_001));
  await expect.poll(() => recorded.nearEnd).toBe(1);
});

it('draws only nearby columns of many, and reaches each by keyboard', async () => {
  mountGrid({ isWide: true });
  await expect.element(grid()).toHaveAttribute('aria-colcount', '66');
  expect(page.getByRole('columnheader').elements().length).toBeLessThan(35);
  focusGrid();
  await press('End');
  await expect.poll(activeText).toBe('23,059');
  expectInView(line(2).getBySelector('[aria-colindex="66"]'));
  expectInView(cellOf(2, 'product'));
});

it('holds rows in place and adds the pending ones afterwards', async () => {
  const recorded = mountGrid();
  recorded.change({ held: true });
  recorded.arrive(37);
  await expect.poll(() => recorded.pending).toBe(37);
  await expectText(cellOf(2, 'id'), '7670000000000000000');
  recorded.change({ held: false });
  await expectText(cellOf(2, 'id'), '7670000000000000037');
});

it('sorts by click, and resizes a column by dragging its edge', async () => {
  mountGrid();
  await head('Price').click();
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'descending');
  await expectText(cellOf(2, 'price'), '23,999');
  const { width } = boxOf(head('Price'));
  await userEvent.dragAndDrop(head('Price'), grid(), {
    sourcePosition: { x: width - 3, y: 10 },
    targetPosition: { x: boxOf(head('Price')).left + width + 37, y: 10 },
  });
  await expect.element(head('Price')).toHaveStyle({ inlineSize: '130px' });
  await expect.element(head('Price')).toHaveAttribute('aria-sort', 'descending');
});

it('meets WCAG 2.2 AA with selection, marks and groups, in both themes', async () => {
  const marks = new Map<string, GridMark>([
    ['7670000000000000000', 'added'],
    ['7669999999999999997', new Set(['price'])],
    ['7669999999999999994', 'gone'],
  ]);
  mountGrid().change({ grouping: ['product'], marks });
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  focusGrid();
  await press('ArrowDown', 'Space', 'ArrowDown', 'Shift+ArrowRight');
  await expect.element(page.getBySelector('[role=gridcell][aria-selected=true]').first()).toBeVisible();
  await expectAccessible('main');
});
