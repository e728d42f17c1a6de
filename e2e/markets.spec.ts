import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { readProducts } from './listed-products.ts';
import { test } from './watched-page.ts';
import { exportAs } from './export-menu.ts';

test.use({ live: false });

/** Perpdesk has just started and is reading from the exchange for the first time. */
const STARTING = 15_000;

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' });
}

function symbolsOf(page: Page): Promise<readonly string[]> {
  return grid(page).locator('[role=gridcell][data-column="symbol"]').allInnerTexts();
}

/** A height that fits all rows, because the list draws only those in sight. */
test.use({ viewport: { width: 1280, height: 4_400 } });

async function open(page: Page): Promise<void> {
  await page.goto('/');
  await expect(grid(page)).toBeVisible({ timeout: STARTING });
  await expect(grid(page).getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

test('every active product is listed; it is found, kept as a favourite, saved as CSV and opened', async ({ page }) => {
  const active = (await readProducts(page))
    .filter(({ product_status: status }) => status === 'active')
    .map(({ symbol }) => symbol);
  await open(page);
  expect([...(await symbolsOf(page))].sort()).toEqual(active.sort());
  await grid(page).getByRole('button', { name: 'PSOLUSZ50 in Favourites' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'PSOLUSZ50 in Favourites' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect.poll(() => symbolsOf(page)).toEqual(['PSOLUSZ50']);
  const downloading = page.waitForEvent('download');
  await exportAs(page, 'CSV, with sources');
  const lines = (await readFile(await (await downloading).path(), 'utf8')).split('\r\n').slice(0, -1);
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['PSOLUSZ50']);
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('perpetual ether');
  await expect.poll(() => symbolsOf(page)).toEqual(['PETHUIZ50']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/price\/PETHUIZ50$/);
});

test('columns are pinned by layers of their own only while they may scroll, and the page may be late to hear of it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 700, height: 800 });
  await open(page);
  const layers = grid(page).locator('[data-pin=start]');
  const arePinned = () =>
    layers.evaluateAll((cells) => cells.every((cell) => getComputedStyle(cell).position === 'sticky'));
  expect(await arePinned()).toBe(false);
  await grid(page).hover();
  await expect.poll(arePinned).toBe(true);
  await page.mouse.wheel(60, 0);
  await expect.poll(() => grid(page).evaluate((list) => list.scrollLeft)).toBe(60);
  await page.mouse.move(0, 0);
  expect(await arePinned()).toBe(true);
  const edges = await Promise.all(
    [grid(page), layers.first()].map(async (element) => (await element.boundingBox())?.x),
  );
  expect(edges[1]).toBe(edges[0]);
  await grid(page).evaluate((list) => {
    list.scrollLeft = 0;
  });
  await expect.poll(arePinned).toBe(false);
});
