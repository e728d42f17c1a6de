import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './watched-page.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const widths = { 360: 740, 1440: 900, 3840: 2160 } as const;

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`))).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [width, height] of Object.entries(widths)) {
    test.describe(`in the ${colorScheme} theme at ${width} px`, () => {
      test.use({ colorScheme, viewport: { width: Number(width), height }, contextOptions: { reducedMotion: 'reduce' } });

      test('the list stays within the width there is, its head in sight, and keeps nobody out', async ({ page }) => {
        await page.goto('/?group=underlying');
        const grid = page.getByRole('grid', { name: 'Markets' });
        await expect(grid).toBeVisible({ timeout: 15_000 });
        await page.screenshot({ path: `e2e/artifacts/screens/markets-${colorScheme}-${width}.png` });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(Number(width));
        await grid.getByRole('row').last().scrollIntoViewIfNeeded();
        await expect(grid.getByRole('columnheader', { name: 'Symbol' })).toBeInViewport({ ratio: 1 });
        // All rows are drawn alike: some of each kind say as much as all, in a tenth of the time.
        await page.getByRole('searchbox').fill('hedera');
        await expect(grid.getByRole('rowheader')).toHaveCount(1);
        await expectNoViolation(page);
      });
    });
  }
}

for (const palette of ['blue-orange', 'red-green', 'mono']) {
  test(`direction has its sign and arrow in the palette ${palette}`, async ({ page }) => {
    await page.addInitScript((stored) => {
      localStorage.setItem('perpdesk.preferences', stored);
    }, JSON.stringify({ version: 1, palette }));
    await page.goto('/?type=perpetual&sort=-changePercent&q=dollar+kilo');
    const cells = page.getByRole('grid').locator('tbody td[data-column="changePercent"]');
    await expect(cells.first()).toHaveText(/^(▲ \+|▼ −)\d+\.\d{2}$/, { timeout: 15_000 });
    for (const text of await cells.allInnerTexts()) expect(text).toMatch(/^((▲ \+|▼ −)\d+\.\d{2}|0\.00|–)$/);
    await expectNoViolation(page);
  });
}
