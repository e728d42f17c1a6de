import { expect, type Page } from '@playwright/test';
import { expectPriceRead } from './price-page.ts';
import { test } from './watched-page.ts';

const chart = (page: Page) => page.getByRole('application', { name: /PBTCUCZ50/ });
const session = (page: Page) => page.getByTestId('legend').first().locator('dd').first();

const DAY_MS = 86_400_000;
const toTime = (date: string) => Date.parse(`${date} UTC`);

/** Points at a place of the chart; the legend follows with the next frame. */
async function pointAt(page: Page, x: number, y = 60): Promise<void> {
  await chart(page).hover({ position: { x, y } });
  await nextFrame(page);
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

test('a drag past the first bar loads older ones, and the bars in view stay in view', async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.goto('/price/PBTCUCZ50?range=1M');
  await expectPriceRead(page);
  const box = await chart(page).boundingBox();
  if (box === null) throw new Error('the chart has no box');
  const sessionAt = async (x: number): Promise<number> => {
    await pointAt(page, x);
    return toTime(await session(page).innerText());
  };
  const first = await sessionAt(5);
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 800, box.y + 200, { steps: 5 });
  await nextFrame(page);
  const held = toTime(await session(page).innerText());
  await page.mouse.up();
  await expect(page).toHaveURL(/range=3M&zoom=/);
  await expect.poll(() => sessionAt(5)).toBeLessThan(first);
  // The address has dates, so that the view begins and ends between bars.
  await expect.poll(async () => Math.abs((await sessionAt(800)) - held)).toBeLessThanOrEqual(DAY_MS);
});
