import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from './watched-page.ts';

/** Each screen, and an element that shows it is drawn. */
const screens = {
  '/': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/price': (page: Page): Locator => page.getByTestId('legend'),
  '/price/nowhere': (page: Page): Locator => page.getByRole('heading', { name: 'No product “nowhere”' }),
  '/volume': (page: Page): Locator => page.getByTestId('legend'),
  '/funding': (page: Page): Locator => page.getByTestId('legend').last(),
  '/funding/BTCUC': (page: Page): Locator => page.getByRole('heading', { name: 'Funding history' }),
  '/orders': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/orders/history': (page: Page): Locator => page.getByRole('gridcell').first(),
  '/status': (page: Page): Locator => page.getByRole('table').last(),
};
const sizes = [[360, 800], [1440, 900]] as const;

/** The window size that would hold the whole page, and the scroll width of the screen. */
function sizeOfPage(page: Page): Promise<object> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.body;
    return { width: scrollWidth, height: scrollHeight, screenWidth: document.querySelector('main')?.scrollWidth };
  });
}

for (const [path, drawn] of Object.entries(screens)) {
  test(`the page at ${path} fits the window: only the content below the header scrolls, and not sideways`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path);
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await expect(drawn(page)).toBeVisible();
      await expect.configure({ soft: true }).poll(() => sizeOfPage(page), `at ${String(width)} px`).toEqual({ width, height, screenWidth: width });
    }
  });
}

for (const path of ['/orders', '/orders/history']) {
  test(`the prices at ${path} are fully visible on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path);
    await expect(page.getByRole('columnheader', { name: 'Price', exact: false }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator('[role=gridcell][data-column=price]').first()).toBeInViewport({ ratio: 1 });
  });
}

test('the links between the order lists stay under the pointer', async ({ page }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/orders');
    const history = page.getByRole('navigation', { name: 'Order lists' }).getByRole('link', { name: 'History' });
    await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible();
    const before = await history.boundingBox();
    await history.click();
    await expect(history).toHaveAttribute('aria-current', 'page');
    await expect(page.getByText(/^Newest rows/)).toBeVisible();
    expect(await history.boundingBox()).toEqual(before);
  }
});
