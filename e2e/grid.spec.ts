import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { copySelection } from './copy-selection.ts';
import { test } from './bench/grid/alone/grid-page.ts';

test.use({ live: false });

function gridOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Orders' });
}

/** Text of the active cell. The first keys may wait for the grid's code. */
function activeText(page: Page): Promise<string> {
  return page.evaluate(() => document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');
}

function selectedOrders(page: Page): Locator {
  return page.locator('[role=row][aria-selected=true] > [data-column=id]');
}

async function press(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

function columnOf(page: Page, id: string, count: number): Promise<readonly string[]> {
  return page.evaluate(
    ([column, wanted]) =>
      Array.from({ length: wanted }, (_, line) => document.querySelector(`[aria-rowindex="${String(line + 2)}"] > [data-column="${column}"]`)?.textContent ?? ''),
    [id, count] as const,
  );
}

/** The order of each row on screen, by its vertical position. */
function rowsOnScreen(page: Page): Promise<readonly (readonly [y: number, order: string])[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=row]:has([data-column=id][role=gridcell])')]
      .map((row) => [Math.round(row.getBoundingClientRect().y), row.querySelector('[data-column=id]')?.textContent ?? ''] as const)
      .filter(([y]) => y >= 40 && y < 400)
      .sort(([a], [b]) => a - b),
  );
}

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 440 });
});

test('reports its whole size and the index of each row it draws', async ({ page }) => {
  await page.goto('/');
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10001');
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', '6');
  await gridOf(page).evaluate((grid) => {
    grid.scrollTop = 5_000 * 28;
  });
  await expect(page.locator('[aria-rowindex="5002"] > [data-column=id]')).toHaveText('7669999999999995000');
  expect(await page.locator('[role=row]').count()).toBeLessThan(30);
  await expect(page.locator('[aria-rowindex="5002"] > [data-column=id]')).toHaveAttribute('aria-colindex', '6');
});

test('is one tab stop, navigated by arrows, Page and End keys', async ({ page }) => {
  await page.goto('/');
  await expect(gridOf(page)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(gridOf(page)).toBeFocused();
  await expect.poll(() => activeText(page)).toBe('BUSZ26');
  await press(page, ['ArrowDown', 'End']);
  await expect.poll(() => activeText(page)).toBe('7669999999999999999');
  await press(page, ['Control+End']);
  await expect.poll(() => activeText(page)).toBe('7669999999999990001');
  await press(page, ['PageUp', 'Control+Home']);
  await expect.poll(() => activeText(page)).toBe('BUSZ26');
  await press(page, ['ArrowUp']);
  await expect.poll(() => activeText(page)).toContain('Product');
  await page.keyboard.press('Tab');
  await expect(gridOf(page)).not.toBeFocused();
});

test('handles clicks and keys pressed before its input code is loaded', async ({ page }) => {
  const { promise: pressed, resolve } = Promise.withResolvers<undefined>();
  await page.route(/grid-input/, async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto('/');
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10001');
  await page.getByRole('columnheader', { name: 'Price' }).click();
  await gridOf(page).focus();
  await press(page, ['ArrowDown', 'ArrowDown', 'Space']);
  expect(await page.evaluate(() => gridPage.state.sorts)).toEqual([]);
  resolve(undefined);
  await expect.poll(() => page.evaluate(() => gridPage.state.sorts)).toEqual([{ id: 'price', desc: true }]);
  await expect(selectedOrders(page)).toHaveCount(1);
});

test('keeps the active row and the scroll position when rows are added', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowDown', 'ArrowDown', 'ArrowDown', 'End']);
  await expect.poll(() => activeText(page)).toBe('7669999999999999997');
  const before = await rowsOnScreen(page);
  await page.evaluate(() => {
    gridPage.arrive(5);
  });
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10006');
  await expect.poll(() => activeText(page)).toBe('7669999999999999997');
  await expect.poll(() => rowsOnScreen(page)).toEqual(before);
});

test('keeps the visible rows in place when rows are added above', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).evaluate((grid) => {
    grid.scrollTop = 3_003;
  });
  await expect(page.locator('[aria-rowindex="110"]')).toBeVisible();
  const before = await rowsOnScreen(page);
  await page.evaluate(() => {
    gridPage.arrive(7);
  });
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10008');
  await expect.poll(() => rowsOnScreen(page)).toEqual(before);
});

test('returns to the active row after scrolling away', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowDown', 'End']);
  await expect.poll(() => activeText(page)).toBe('7669999999999999999');
  await gridOf(page).evaluate((grid) => {
    grid.scrollTop = 100_000;
  });
  await expect(gridOf(page)).not.toHaveAttribute('aria-activedescendant');
  await press(page, ['ArrowDown']);
  await expect.poll(() => activeText(page)).toBe('7669999999999999998');
});

test('sorts from the header, by several columns with Shift, missing values last in both directions', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']);
  const account = page.getByRole('columnheader', { name: 'Account' });
  await expect(account).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(() => columnOf(page, 'account', 1)).toEqual(['ACCT-1000']);
  await press(page, ['End', 'Shift+Enter', 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']);
  await expect(account).toContainText('1');
  await press(page, ['Enter']);
  await expect(account).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => columnOf(page, 'account', 1)).toEqual(['ACCT-1006']);
  await press(page, ['Control+End']);
  await expect(page.locator('[aria-rowindex="10001"] > [data-column=account]')).toHaveText('–');
});

test('moves and resizes a column by keyboard', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowUp', 'ArrowRight', 'ArrowRight', 'Shift+ArrowLeft']);
  await expect(page.getByRole('columnheader').nth(1)).toContainText('Price');
  await expect.poll(() => activeText(page)).toContain('Price');
  const width = () => page.getByRole('columnheader', { name: 'Price' }).evaluate((head) => head.getBoundingClientRect().width);
  await expect.poll(width).toBe(90);
  await press(page, ['Alt+ArrowRight']);
  await expect.poll(width).toBe(106);
});

test('opens, explains, filters by value, selects rows and opens the column menu', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowDown', 'Enter', 'ArrowRight', 'i', 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space', 'Shift+F10', 'f']);
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '5001');
  const recorded = await page.evaluate(() => gridPage);
  expect(recorded).toMatchObject({
    opened: ['7669999999999999999'],
    explained: ['7669999999999999999 side'],
    menus: ['side'],
    state: { filters: { side: { kind: 'is', texts: ['Ask'] } } },
  });
  expect(new Set(await selectedOrders(page).allTextContents())).toEqual(new Set(['7669999999999999999', '7669999999999999997']));
  await press(page, ['f']);
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10001');
  expect(new Set(await selectedOrders(page).allTextContents())).toEqual(new Set(['7669999999999999999', '7669999999999999998', '7669999999999999997']));
});

test('repeats movements while a key is held down, other commands run once', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.down(key);
  await page.keyboard.up('ArrowDown');
  await press(page, ['End']);
  await expect.poll(() => activeText(page)).toBe('7669999999999999997');
  for (const key of ['f', 'f']) await page.keyboard.down(key);
  await page.keyboard.up('f');
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '2');
  for (const key of ['Space', 'Space']) await page.keyboard.down(key);
  await page.keyboard.up('Space');
  await expect(selectedOrders(page)).toHaveCount(1);
});

test('ignores the second key of a navigation shortcut', async ({ page }) => {
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['g', 'f']);
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '10001');
});

test('copies a range as spreadsheet cells', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await gridOf(page).focus();
  await press(page, ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight']);
  await copySelection(page);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('23,000\t0 / 10\t\n23,919\t1 / 10\tACCT-1001');
});

test('groups with sums, and sums closed groups too', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    gridPage.change({ grouping: ['product'] });
  });
  const grid = page.getByRole('treegrid', { name: 'Orders' });
  const first = page.locator('[aria-rowindex="2"]');
  await expect(first).toContainText('BUSZ26 · 3,334');
  await expect(first.locator('[data-column=filled]')).toHaveText('6,668');
  await expect(first).toHaveAttribute('aria-level', '1');
  await expect(page.locator('[aria-rowindex="3"]')).toHaveAttribute('aria-level', '2');
  await grid.focus();
  await press(page, ['Control+Home', 'Enter']);
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await expect(page.locator('[aria-rowindex="3"]')).toContainText('PBUSZ50 · 3,333');
  await expect(grid).toHaveAttribute('aria-rowcount', String(10_000 - 3_334 + 3 + 1));
});

test('shows placeholders for rows not in memory, and reports when the end is near', async ({ page }) => {
  await page.goto('/?mode=sparse&rows=1000000');
  await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '1000001');
  await gridOf(page).focus();
  await press(page, ['Control+End']);
  await expect(page.locator('[aria-rowindex="1000001"]')).toHaveAttribute('data-pending');
  await expect(page.locator('[aria-rowindex="1000001"]')).toBeInViewport({ ratio: 1 });
  await expect.poll(() => page.evaluate(() => gridPage.near)).toEqual(['end']);
});

test('draws only nearby columns of many, and reaches each by keyboard', async ({ page }) => {
  await page.goto('/?mode=wide');
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', '66');
  expect(await page.getByRole('columnheader').count()).toBeLessThan(35);
  await gridOf(page).focus();
  await press(page, ['End']);
  await expect.poll(() => activeText(page)).toBe('23,059');
  await expect(page.locator('[aria-rowindex="2"] > [aria-colindex="66"]')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('[aria-rowindex="2"] > [data-column=product]')).toBeInViewport({ ratio: 1 });
});

test('holds rows in place and adds the pending ones afterwards', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    gridPage.change({ held: true });
  });
  await page.evaluate(() => {
    gridPage.arrive(37);
  });
  await expect.poll(() => page.evaluate(() => gridPage.pending)).toBe(37);
  expect(await columnOf(page, 'id', 1)).toEqual(['7670000000000000000']);
  await page.evaluate(() => {
    gridPage.change({ held: false });
  });
  await expect(page.locator('[aria-rowindex="2"] > [data-column=id]')).toHaveText('7670000000000000037');
});

test('sorts by click, and resizes a column by dragging its edge', async ({ page }) => {
  await page.goto('/');
  const price = page.getByRole('columnheader', { name: 'Price' });
  await price.click();
  await expect(price).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(() => columnOf(page, 'price', 1)).toEqual(['23,999']);
  const box = await price.boundingBox();
  if (box === null) throw new Error('the head is not drawn');
  await page.mouse.move(box.x + box.width - 3, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 37, box.y + 10);
  await page.mouse.up();
  await expect(price).toHaveCSS('inline-size', '130px');
  await expect(price).toHaveAttribute('aria-sort', 'descending');
});

for (const scheme of ['light', 'dark'] as const) {
  test(`meets WCAG 2.2 AA with selection, marks and groups, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/');
    await page.evaluate(() => {
      const marks = new Map<string, 'added' | 'gone' | Set<string>>([
        ['7670000000000000000', 'added'],
        ['7669999999999999997', new Set(['price'])],
        ['7669999999999999994', 'gone'],
      ]);
      gridPage.change({ grouping: ['product'], marks });
    });
    await page.getByRole('treegrid').focus();
    await press(page, ['ArrowDown', 'Space', 'ArrowDown', 'Shift+ArrowRight']);
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
    expect(violations).toEqual([]);
  });
}
