import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from './watched-page.ts';

/** Each screen, and what is there once it is drawn. */
const screens = {
  '/': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/price': (page: Page): Locator => page.getByTestId('legend'),
  '/price/nowhere': (page: Page): Locator => page.getByRole('heading', { name: 'There is no product called nowhere' }),
  '/volume': (page: Page): Locator => page.getByTestId('legend'),
  '/funding': (page: Page): Locator => page.getByTestId('legend').last(),
  '/funding/BTCUC': (page: Page): Locator => page.getByRole('heading', { name: 'Every print, to the launch' }),
  '/orders': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/orders/history': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/status': (page: Page): Locator => page.getByRole('table').last(),
};
const widths = { 360: 800, 1440: 900 };

/** What a window would have to be as large as to hold all of the page, and all that is beside each other in the screen. */
function sizeOfPage(page: Page): Promise<object> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.body;
    return { width: scrollWidth, height: scrollHeight, screenWidth: document.querySelector('main')?.scrollWidth };
  });
}

for (const [width, height] of Object.entries(widths)) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width: Number(width), height } });

    for (const [path, drawn] of Object.entries(screens)) {
      test(`the page at ${path} is as large as the window: only what stands below the bar scrolls, and not sideways`, async ({ page }) => {
        await page.goto(path);
        await expect(drawn(page)).toBeVisible();
        expect(await sizeOfPage(page)).toEqual({ width: Number(width), height, screenWidth: Number(width) });
      });
    }
  });
}

for (const path of ['/orders', '/orders/history']) {
  test(`the prices at ${path} stand whole on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path);
    await expect(page.getByRole('columnheader', { name: 'Price', exact: false }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator('[role=gridcell][data-column=price]').first()).toBeInViewport({ ratio: 1 });
  });
}

test('the links between the lists of orders stay under the pointer', async ({ page }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/orders');
    const history = page.getByRole('navigation', { name: 'Lists of orders' }).getByRole('link', { name: 'History' });
    await expect(page.getByText(/complete, \d+ part/).first()).toBeVisible();
    const before = await history.boundingBox();
    await history.click();
    await expect(history).toHaveAttribute('aria-current', 'page');
    await expect(page.getByText(/^newest rows/)).toBeVisible();
    expect(await history.boundingBox()).toEqual(before);
  }
});
