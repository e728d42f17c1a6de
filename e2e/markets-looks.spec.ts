import { expect } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

const sizes = [
  [360, 740],
  [1440, 900],
  [3840, 2160],
] as const;

test('the list fits the window in every look, its header stays in sight, and axe finds no violation', async ({
  page,
}) => {
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
  // All rows are drawn alike, so a few show as much, in a tenth of the time.
  await page.getByRole('searchbox').fill('hedera');
  await expect(grid.getByRole('row')).toHaveCount(3);
  await inEachLook(page, sizes, (look) => expectAccessible(page, look));
});
