import { expect } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

const sizes = [[360, 740], [1440, 900], [3840, 2160]] as const;

test('the list fits the window in every look, its header stays in sight, and axe finds no violation', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/?group=underlying');
  const grid = page.getByRole('treegrid', { name: 'Markets' });
  await expect(grid).toBeVisible({ timeout: 15_000 });
  await inEachLook(page, sizes, async (look) => {
    await takeShot(page, `markets-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await grid.focus();
    await page.keyboard.press('Control+End');
    await expect(grid.getByRole('columnheader', { name: 'Symbol' })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Control+Home');
  });
  // Rows are all drawn alike: a few show as much as all, in a tenth of the time.
  await page.getByRole('searchbox').fill('hedera');
  await expect(grid.getByRole('row')).toHaveCount(3);
  await inEachLook(page, sizes, (look) => expectAccessible(page, look));
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the header of the change is not cut off, even when sorted', async ({ page }) => {
    await page.goto('/?sort=-changePercent');
    const head = page.getByRole('columnheader', { name: /^Chg vs. settle/ }).first();
    await expect(head).toBeVisible({ timeout: 15_000 });
    // Text that is cut off has boxes beyond the header.
    const [box, texts] = await head.evaluate((element) => [element.getBoundingClientRect().toJSON() as DOMRect, [...element.querySelectorAll('[data-part=title], [data-part=arrow], [data-part=unit]')].map((text) => text.getBoundingClientRect().toJSON() as DOMRect)] as const);
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      expect(text.left).toBeGreaterThanOrEqual(box.left);
      expect(text.top).toBeGreaterThanOrEqual(box.top);
      expect(text.bottom).toBeLessThanOrEqual(box.bottom);
    }
  });
});

for (const palette of ['blue-orange', 'red-green', 'mono']) {
  test(`a direction has its sign and arrow in the palette ${palette}`, async ({ page }) => {
    await page.addInitScript((stored) => {
      localStorage.setItem('perpdesk.preferences', stored);
    }, JSON.stringify({ version: 1, palette }));
    await page.goto('/?type=perpetual&sort=-changePercent&q=dollar+kilo');
    const cells = page.getByRole('grid').locator('[role=gridcell][data-column="changePercent"]');
    await expect(cells.first()).toHaveText(/^[+−]\d+\.\d{2}$/, { timeout: 15_000 });
    // The arrow is drawn before the sign, and neither read out nor copied.
    const shown = await cells.evaluateAll((all) => all.map((cell) => `${getComputedStyle(cell, '::before').content} ${cell.textContent}`));
    for (const text of shown) expect(text).toMatch(/^("▲ " \/ "" \+\d+\.\d{2}|"▼ " \/ "" −\d+\.\d{2}|none (0\.00|–))$/);
  });
}
