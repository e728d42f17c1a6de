import { expect, type Page } from '@playwright/test';
import { expectPriceRead } from './price-page.ts';
import { test } from './watched-page.ts';

const chart = (page: Page) => page.getByRole('application', { name: /PBTCUCZ50/ });
const range = (page: Page, name: string) => page.getByRole('group', { name: 'Range' }).getByRole('radio', { name, exact: true });
const session = (page: Page) => page.getByTestId('legend').first().locator('dd').first();

const toTime = (date: string) => Date.parse(`${date} UTC`);

async function openPrice(page: Page): Promise<void> {
  await page.goto('/price/PBTCUCZ50?range=1Y');
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  await expectPriceRead(page);
}

/** Points at a place of the chart; the legend follows with the next frame. */
async function pointAt(page: Page, x: number, y = 60): Promise<void> {
  await chart(page).hover({ position: { x, y } });
  await nextFrame(page);
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** The session under the pointer a tenth into the chart: a year back, unless the chart is zoomed. */
async function sessionAtLeft(page: Page): Promise<string> {
  const width = await chart(page).evaluate(({ clientWidth }) => clientWidth);
  await pointAt(page, width / 10);
  return session(page).innerText();
}

async function turnWheel(page: Page, deltaY: number): Promise<void> {
  const width = await chart(page).evaluate(({ clientWidth }) => clientWidth);
  await chart(page).hover({ position: { x: width * 0.8, y: 60 } });
  await page.mouse.wheel(0, deltaY);
}

test('the wheel zooms at the pointer where the page does not scroll', async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openPrice(page);
  const before = await sessionAtLeft(page);
  for (let turn = 0; turn < 5; turn++) await turnWheel(page, -100);
  await expect.poll(() => sessionAtLeft(page)).not.toBe(before);
});

test('where the page scrolls, the wheel scrolls it until the chart has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 420 });
  await openPrice(page);
  const before = await sessionAtLeft(page);
  await turnWheel(page, 100);
  await expect.poll(() => page.locator('main').evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  expect(await sessionAtLeft(page)).toBe(before);
  await chart(page).focus();
  for (let turn = 0; turn < 5; turn++) await turnWheel(page, -100);
  await expect.poll(() => sessionAtLeft(page)).not.toBe(before);
});

test('Back undoes a range and a comparison', async ({ page }) => {
  await openPrice(page);
  await range(page, '1M').check();
  await expect(page).toHaveURL(/range=1M/);
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.keyboard.type('PETHUIZ50');
  // Letters wait for the code of the list, Enter does not.
  await expect(page.getByRole('option', { name: /PETHUIZ50/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove comparison' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Remove comparison' })).toHaveCount(0);
  await expect(range(page, '1M')).toBeChecked();
  await page.goBack();
  await expect(range(page, '1Y')).toBeChecked();
});

test('the part in view is in the address, and a link shows the same', async ({ page, context }) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openPrice(page);
  await turnWheel(page, -100);
  await expect(page).toHaveURL(/zoom=\d{4}-\d\d-\d\d%2C\d{4}-\d\d-\d\d/);
  const other = await context.newPage();
  await other.setViewportSize({ width: 1_440, height: 900 });
  await other.goto(page.url());
  await expectPriceRead(other);
  await expect.poll(() => sessionAtLeft(other)).toBe(await sessionAtLeft(page));
  await expect(other).toHaveURL(page.url());
  await page.keyboard.press('Alt+r');
  await expect(page).not.toHaveURL(/zoom=/);
});

test('another range is shown whole', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?range=1Y&zoom=2000-01-01,2000-02-01');
  await range(page, '3M').check();
  await expect(page).toHaveURL(/range=3M$/);
});

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
  await expect.poll(() => sessionAt(800)).toBe(held);
});

/** Each with what says that all has been read that its legend and the height of its header depend on. */
const SCREENS = [
  ['/price/PBTCUCZ50?range=1Y', expectPriceRead],
  ['/price/PBTCUCZ50?range=1Y&compare=PETHUIZ50', expectPriceRead],
  ['/volume?range=1Y', async (page: Page) => { await expect(page.getByTestId('legend')).toContainText(/Open interest\s*\d/); }],
  ['/funding/BTCUC', async (page: Page) => { await expect(page.getByTestId('estimate')).toContainText('not settled'); }],
] as const;

for (const [screen, isRead] of SCREENS) {
  for (const width of [360, 1_280]) {
    test(`at ${String(width)} px the legend of ${screen} keeps its figures in place while the pointer moves`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(screen);
      const stage = page.getByRole('application').first();
      await expect(stage.locator('canvas').first()).toBeVisible();
      await isRead(page);
      await stage.scrollIntoViewIfNeeded();
      const box = await stage.boundingBox();
      if (box === null) throw new Error('the chart has no box');
      const rest = await figurePlaces(page);
      const dates = new Set<string>();
      for (let share = 0; share < 1; share += 1 / 24) {
        await page.mouse.move(box.x + 5 + share * (box.width - 10), box.y + 60);
        await nextFrame(page);
        dates.add(await session(page).innerText());
        const moved = (await figurePlaces(page)).map((place, index) => Math.abs(place - (rest[index] ?? Number.NaN)));
        expect(Math.max(...moved), String(moved)).toBeLessThan(1);
      }
      expect(dates.size).toBeGreaterThan(6);
    });
  }
}

/** Of each entry of the first legend, and the height of the whole, in pixels. */
function figurePlaces(page: Page): Promise<readonly number[]> {
  return page.getByTestId('legend').first().evaluate((legend) => {
    const { top, height } = legend.getBoundingClientRect();
    return [height, ...[...legend.children].flatMap((entry) => [entry.getBoundingClientRect().left, entry.getBoundingClientRect().top - top])];
  });
}
