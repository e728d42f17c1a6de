import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

/** The widest window below the one with two columns, and a common one above. */
const BELOW = { width: 1_899, height: 1_000 };
const WIDE = { width: 2_560, height: 1_440 };

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
