import { expect, type Page } from '@playwright/test';
import { test } from './orders-desk.ts';

const screens = {
  '/': '[role=gridcell]',
  '/price': 'canvas',
  '/volume': 'canvas',
  '/funding': '[role=gridcell]',
  '/funding/BTCUC': '[role=gridcell]',
  '/orders': '[role=gridcell]',
  '/orders/history': '[role=gridcell]',
  '/status': 'table',
} as const;

/** Texts whose digits are not all of one width. */
function findProportional(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const ownTexts = [...document.body.querySelectorAll('*')].flatMap((element) => [...element.childNodes].filter((node): node is Text => node instanceof Text));
    return ownTexts
      .filter(({ data, parentElement }) => /\d/.test(data) && parentElement?.checkVisibility() === true)
      .filter(({ parentElement }) => parentElement !== null && getComputedStyle(parentElement).fontVariantNumeric !== 'tabular-nums')
      .map(({ data }) => data);
  });
}

/** Cells whose text overflows into the next one. */
function findOverflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const widthOf = (cell: Element): number => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().width;
    };
    const cells = [...document.querySelectorAll('[role=gridcell]:not([data-long])')];
    return cells.filter((cell) => widthOf(cell) > cell.clientWidth).map((cell) => `${cell.getAttribute('data-column') ?? ''}: ${cell.textContent}`);
  });
}

for (const [path, drawn] of Object.entries(screens)) {
  test(`on ${path} digits are of one width, and no cell overflows into the next`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await expect(page.locator(drawn).first()).toBeVisible({ timeout: 15_000 });
    // Other fonts have other widths.
    await page.evaluate(() => document.fonts.ready);
    expect(await findProportional(page)).toEqual([]);
    expect(await findOverflowing(page)).toEqual([]);
  });
}

test('the font of the lists has digits of one width', async ({ page }) => {
  await page.goto('/');
  const cell = page.locator('[role=gridcell][data-column=settlement]').first();
  await expect(cell).toBeVisible({ timeout: 15_000 });
  await page.evaluate(() => document.fonts.ready);
  const widths = await cell.evaluate((element) =>
    ['1111111111', '0000000000', '4747474747'].map((text) => {
      const range = document.createRange();
      element.textContent = text;
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    }),
  );
  expect(new Set(widths)).toHaveProperty('size', 1);
});
