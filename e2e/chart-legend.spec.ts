import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

/** Data and view change under a pointer that rests on a chart: its legend names the bar that the pointer is on, as it would if the pointer moved. */

test.use({ live: false, viewport: { width: 1_440, height: 900 } });

const chart = (page: Page): Locator => page.getByRole('application').first();
const legend = (page: Page): Locator => page.getByTestId('legend').first();
const time = (page: Page): Locator => legend(page).locator('dd').first();

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function rest(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  await expect(legend(page)).toContainText(/\d/);
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  const box = await chart(page).boundingBox();
  const at = { x: Math.round((box?.x ?? 0) + (box?.width ?? 0) * 0.4), y: Math.round((box?.y ?? 0) + 60) };
  await page.mouse.move(at.x, at.y);
  await expect(legend(page)).toHaveAttribute('data-pointed', 'true');
  return at;
}

/** Whether the legend says the same before and after the pointer moves by a pixel, along its bar. */
async function expectOfPointer(page: Page, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  await page.waitForLoadState('networkidle');
  await nextFrame(page);
  const before = await time(page).innerText();
  await page.mouse.move(x, y + 1);
  await nextFrame(page);
  expect(before).toBe(await time(page).innerText());
}

const CHARTS = [
  ['prices', '/price/PBTCUCZ50?range=1M', '1Y'],
  ['a comparison', '/price/PBTCUCZ50?vs=PETHUIZ50&range=1M', '1Y'],
  ['volume', '/volume?product=PBTCUCZ50&range=1M', '1Y'],
  ['funding of a perpetual', '/funding/BTCUC?range=30d', '90d'],
  ['funding side by side', '/funding?pick=BTCUC,ETHUI&range=30d', '90d'],
] as const;

for (const [name, address, range] of CHARTS) {
  test(`${name}: another range, chosen by the keyboard`, async ({ page }) => {
    await page.goto(address);
    const at = await rest(page);
    await page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name: range, exact: true }).focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL(new RegExp(`range=${range}`));
    await expectOfPointer(page, at);
  });
}

test('another product, chosen in the palette', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?range=1Y');
  const at = await rest(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('BUSZ26');
  await expect(page.getByRole('option', { name: /BUSZ26/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('application', { name: /BUSZ26/ })).toBeVisible();
  await expectOfPointer(page, at);
});

test('a range that grows as the chart is dragged beyond its first bar', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?range=3M');
  const { x, y } = await rest(page);
  const first = await time(page).innerText();
  await page.mouse.down();
  await page.mouse.move(x + 400, y, { steps: 20 });
  await page.mouse.up();
  await page.mouse.move(x, y);
  await expect(time(page)).not.toHaveText(first);
  await page.mouse.down();
  await page.mouse.move(x + 400, y, { steps: 20 });
  await page.mouse.up();
  await expectOfPointer(page, { x: x + 400, y });
});

test('a product that the keyboard opens where the pointer rests', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50?range=1Y');
  const at = await rest(page);
  await page.goto('/');
  await expect(page.getByRole('row', { name: /PBTCUCZ50/ }).first()).toBeVisible();
  await page.mouse.move(at.x, at.y);
  await page.keyboard.press('/');
  await page.keyboard.type('PBTCUCZ50');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('application', { name: /PBTCUCZ50/ })).toBeVisible();
  await expect(chart(page).locator('canvas').first()).toBeVisible();
  // The browser itself says what has come to lie under a pointer that rests.
  await expect(legend(page)).toHaveAttribute('data-pointed', 'true');
  await expectOfPointer(page, at);
});
