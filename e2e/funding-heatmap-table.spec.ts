import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

/** Returns the grid. The heatmap and its table are grids of the same name. */
function gridOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Funding heatmap' });
}

async function openHeatmap(page: Page, query: string): Promise<void> {
  await page.goto(`/funding?sort=symbol&${query}`);
  await expect(gridOf(page)).toBeVisible();
}

test('half a year is in view on a desktop, and scrolls on a phone, where a day label that would be cut off is hidden', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openHeatmap(page, 'heat=540');
  await expect(gridOf(page)).toHaveAttribute('aria-colcount', '541');
  const scroller = gridOf(page).locator('xpath=ancestor::div[2]');
  await expect.poll(() => scroller.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(1);
  await gridOf(page).getByRole('gridcell').focus();
  await page.keyboard.press('Home');
  await expect(gridOf(page).getByRole('gridcell')).toBeInViewport({ ratio: 0.9 });
  // This is the only heatmap that is too wide for its screen.
  await page.setViewportSize({ width: 360, height: 740 });
  await openHeatmap(page, 'heat=540');
  const cut = (): Promise<readonly string[]> =>
    scroller.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const names = element.querySelector('[role=rowheader]')?.getBoundingClientRect().width ?? 0;
      const days = [...element.querySelectorAll('[data-day]')].filter(
        (day) => getComputedStyle(day).visibility === 'visible',
      );
      if (days.length === 0) return ['no day label'];
      return days.flatMap((day) => {
        const box = day.getBoundingClientRect();
        return box.left < left + names - 1 || box.right > right + 1 ? [day.textContent] : [];
      });
    });
  // Each step cuts off the first label at another place.
  for (const step of [0, 15, 15, 15, 15]) {
    await scroller.evaluate((element, by) => {
      element.scrollLeft -= by;
    }, step);
    await expect.poll(cut).toEqual([]);
  }
});

test('the heatmap table does not scroll the page sideways in any look and has no accessibility violations', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openHeatmap(page, 'map=table&heat=270');
  await inEachLook(
    page,
    [
      [360, 740],
      [1440, 900],
    ],
    async (look) => {
      const newest = gridOf(page).locator('[role=row][aria-rowindex="2"]');
      // The table may be redrawn at any time.
      await newest.evaluate((cell) => {
        cell.scrollIntoView({ block: 'center', inline: 'center' });
      });
      await expect(newest).toBeInViewport();
      await takeShot(page, `funding-heat-table-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      // All rows are alike: checking a few proves as much, and is much faster.
      await expectAccessible(page, look, {
        exclude: ['[role=row]:nth-child(n + 3)'],
        part: '[aria-label="Funding heatmap"]',
      });
    },
  );
});
