import { expect } from '@playwright/test';
import { test } from './watched-page.ts';

test('all figures of a perpetual fit one line on a wide window, and two columns on a phone', async ({ page }) => {
  const facts = page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dt');
  const topsAt = async (width: number): Promise<readonly number[]> => {
    await page.setViewportSize({ width, height: 900 });
    return facts.evaluateAll((all) => [...new Set(all.map((each) => Math.round(each.getBoundingClientRect().top)))]);
  };
  await page.goto('/price/PBTCUCZ50');
  await expect(facts).toHaveText([/^Last USD/, /^Chg vs. settle USD \/ %/, /^Settlement USD/, /^Settlement change USD \/ %/, /^24 h volume contracts \/ USD/, /^Open interest contracts \/ USD/, /^Mark at last funding USD/]);
  expect(await topsAt(1_440)).toHaveLength(1);
  expect(await topsAt(360)).toHaveLength(4);
});
