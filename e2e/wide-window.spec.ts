import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

/** The widest window below the one with two columns, and a common one above. */
const BELOW = { width: 1_899, height: 1_000 };
const WIDE = { width: 2_560, height: 1_440 };

const region = (page: Page, name: RegExp) => page.getByRole('region', { name });

type Place = 'beside' | 'below' | 'elsewhere';

/** Where the second region is, as seen from the first. */
async function placeOf(page: Page, first: RegExp, second: RegExp): Promise<Place> {
  const [a, b] = [await region(page, first).boundingBox(), await region(page, second).boundingBox()];
  if (a === null || b === null) return 'elsewhere';
  if (b.y === a.y && b.height === a.height && b.x >= a.x + a.width) return 'beside';
  return b.x === a.x && b.y >= a.y + a.height ? 'below' : 'elsewhere';
}

const PAIRS: readonly (readonly [path: string, left: RegExp, right: RegExp])[] = [
  ['/funding', /^Funding rates/, /^Funding spread/],
  ['/funding/BTCUC', /^Settled rates/, /^Predicted rate/],
];

for (const [path, left, right] of PAIRS) {
  test(`${path} has two charts side by side in a wide window, and one below the other in any other`, async ({ page }) => {
    await page.setViewportSize(WIDE);
    await page.goto(path);
    await expect(region(page, right).locator('canvas').first()).toBeVisible();
    await expect.poll(() => placeOf(page, left, right)).toBe('beside');
    await page.setViewportSize(BELOW);
    await expect(region(page, right).locator('canvas').first()).toBeVisible();
    await expect.poll(() => placeOf(page, left, right)).toBe('below');
  });
}

test('in a wide window a comparison is beside the prices, which are daily and need no further request', async ({ page }) => {
  const requested = new Set<string>();
  page.on('request', (request) => {
    if (request.url().includes('/charts/')) requested.add(request.url());
  });
  await page.setViewportSize(BELOW);
  await page.goto('/price/PBTCUCZ50?vs=PETHUIZ50&bars=1W');
  const [own, compared] = [region(page, /^PBTCUCZ50, prices/), region(page, /rebased to 100/)];
  await expect(compared.locator('canvas').first()).toBeVisible();
  await expect(own).toHaveCount(0);
  // What the screen reads, it reads again now and then.
  const before = [...requested].toSorted();
  expect(before).not.toEqual([]);
  await page.setViewportSize(WIDE);
  await expect(own.locator('canvas').first()).toBeVisible();
  await expect(own).toContainText('Daily bars, as published');
  await expect.poll(() => placeOf(page, /^PBTCUCZ50, prices/, /rebased to 100/)).toBe('beside');
  expect([...requested].toSorted()).toEqual(before);
  await page.getByRole('button', { name: 'Remove comparison' }).click();
  await expect(compared).toHaveCount(0);
  await expect(own).toContainText('Weekly bars (Mon–Sun)');
});

test('Markets uses the width of a wide window for the terms of contracts; a chosen layout stays', async ({ page }) => {
  await page.setViewportSize(WIDE);
  await page.goto('/');
  const heads = page.getByRole('columnheader');
  const last = page.locator('[role=columnheader]').last();
  await expect(page.locator('[role=columnheader][data-column="strike"]')).toBeVisible();
  const end = async (): Promise<number> => (({ x, width }) => x + width)((await last.boundingBox()) ?? { x: 0, width: 0 });
  await expect.poll(end).toBeGreaterThan(0.95 * WIDE.width);
  expect(await end()).toBeLessThanOrEqual(WIDE.width);
  const count = await heads.count();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Strike' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(heads).toHaveCount(count - 1);
});

test.describe('in a wide window', () => {
  test.use({ live: false, viewport: WIDE });

  test('History has the first order beside the list, until it is closed, and uses the width', async ({ page }) => {
    await page.goto('/orders/history');
    const [grid, panel] = [page.getByRole('grid', { name: 'Order history' }), page.getByRole('complementary', { name: 'Order' })];
    const first = grid.locator('[aria-rowindex="2"]');
    const symbol = await first.locator('[data-column=product]').innerText();
    await expect(panel.getByRole('heading', { level: 3 }).first()).toContainText(symbol);
    await expect(page).toHaveURL('/orders/history');
    const last = await page.locator('[role=columnheader]').last().boundingBox();
    const side = await panel.boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(side?.x ?? 0);
    expect((last?.x ?? 0) + (last?.width ?? 0) + (side?.width ?? 0)).toBeGreaterThan(0.92 * WIDE.width);
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toHaveCount(0);
    await expect(page).toHaveURL('/orders/history?order=none');
    await page.reload();
    await expect(first).toBeVisible();
    await expect(panel).toHaveCount(0);
    await page.setViewportSize(BELOW);
    await expect(panel).toHaveCount(0);
  });
});
