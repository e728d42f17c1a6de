import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectPriced, openOrders, orderGrid, test } from './orders-desk.ts';

test.use({ live: false });

function tooltipOf(page: Page): Locator {
  return page.getByRole('dialog');
}

/** A figure outside the list. */
function sumOf(page: Page): Locator {
  return page.locator('footer').getByRole('button', { name: /\d/ }).first();
}

function priceOf(page: Page): Locator {
  return orderGrid(page).locator('[data-column=price]').nth(1);
}

/** Keys that are pressed before the code of the grid has loaded run once it has, but moves of the pointer do not: so a key has worked first. */
async function awaitPointerCode(page: Page): Promise<void> {
  await orderGrid(page).press('Space');
  await expect(orderGrid(page).locator('[role=row][aria-selected=true]')).toHaveCount(1);
}

const FIGURES = [
  ['figure', sumOf],
  ['list', priceOf],
] as const;

/** As a person who wants sources on hover. */
async function preferHover(page: Page): Promise<void> {
  await page.addInitScript(() => {
    localStorage.setItem('perpdesk.preferences', JSON.stringify({ version: 1, hoverSources: 'on' }));
  });
}

for (const [what, find] of FIGURES) {
  test(`a click on a figure of a ${what} shows where it comes from, another one closes it; pointing at it does nothing`, async ({ page }) => {
    await page.clock.install();
    await openOrders(page);
    await expectPriced(page);
    await find(page).hover();
    await page.clock.runFor(5_000);
    await expect(tooltipOf(page)).toHaveCount(0);
    await find(page).click();
    await expect(tooltipOf(page)).toContainText('Endpoint');
    await page.mouse.move(2, 2);
    await page.clock.runFor(5_000);
    await expect(tooltipOf(page)).toBeVisible();
    await find(page).click();
    await expect(tooltipOf(page)).toBeHidden();
  });

  test(`by preference, a figure of a ${what} shows where it comes from after the pointer has rested on it for a second`, async ({ page }) => {
    await preferHover(page);
    await page.clock.install();
    await openOrders(page);
    await expectPriced(page);
    // From here on, no time passes but that of the test.
    await page.clock.pauseAt(Date.now() + 10_000);
    await find(page).hover();
    await page.clock.runFor(900);
    await expect(tooltipOf(page)).toHaveCount(0);
    await page.clock.runFor(200);
    await expect(tooltipOf(page)).toContainText('Endpoint');
    await page.mouse.move(2, 2);
    await page.clock.runFor(500);
    await expect(tooltipOf(page)).toBeHidden();
  });

  test(`a tooltip closes when the ${what} it explains is removed`, async ({ page }) => {
    await preferHover(page);
    await openOrders(page);
    await expectPriced(page);
    await find(page).hover();
    await expect(tooltipOf(page)).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('no order says this');
    await expect(page.locator('footer')).toContainText(/^0 of/);
    await expect(tooltipOf(page)).toBeHidden();
  });
}

test('the preference is off by default, and lasts', async ({ page }) => {
  await openOrders(page);
  await page.keyboard.press(',');
  const choice = page.getByRole('group', { name: 'Show provenance on hover' });
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked();
  await choice.getByRole('radio', { name: 'On' }).check();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(orderGrid(page)).toBeVisible();
  await awaitPointerCode(page);
  await priceOf(page).hover();
  await expect(tooltipOf(page)).toContainText('Endpoint');
});

test('a clicked cell keeps the keyboard: arrows move on and close its tooltip, Escape closes only that', async ({ page }) => {
  await openOrders(page);
  await priceOf(page).click();
  await expect(tooltipOf(page)).toContainText('Endpoint');
  await expect(orderGrid(page)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tooltipOf(page)).toBeHidden();
  await page.keyboard.press('Space');
  await expect(orderGrid(page).locator('[aria-selected=true]').first()).toBeVisible();
  await priceOf(page).click();
  await expect(tooltipOf(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltipOf(page)).toBeHidden();
  await expect(orderGrid(page).locator('[role=row][aria-selected=true]')).toHaveCount(1);
});

test('a click that does something else shows no source', async ({ page }) => {
  await openOrders(page);
  await priceOf(page).dblclick();
  await expect(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
  await expect(tooltipOf(page)).toHaveCount(0);
  const before = page.url();
  await orderGrid(page).locator('[data-column=price]').nth(2).click();
  await expect(page).not.toHaveURL(before);
  await expect(tooltipOf(page)).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(tooltipOf(page)).toContainText('Endpoint');
});

test('a tooltip closes when its cell scrolls away', async ({ page }) => {
  await openOrders(page);
  await priceOf(page).click();
  await expect(tooltipOf(page)).toBeVisible();
  await orderGrid(page).evaluate((grid) => {
    grid.scrollTop = 20_000;
  });
  await expect(tooltipOf(page)).toBeHidden();
});

test('a delayed tooltip does not appear on the next screen', async ({ page }) => {
  await preferHover(page);
  await page.clock.install();
  await openOrders(page);
  await sumOf(page).hover();
  await page.clock.runFor(1_100);
  // From here on the code of tooltips is loaded.
  await expect(tooltipOf(page)).toBeVisible();
  await page.mouse.move(2, 2);
  await page.clock.runFor(500);
  await expect(tooltipOf(page)).toBeHidden();
  await sumOf(page).hover();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/status/);
  await page.clock.runFor(2_000);
  await expect(tooltipOf(page)).toHaveCount(0);
});

test('a tooltip closes when its screen is left', async ({ page }) => {
  await preferHover(page);
  await openOrders(page);
  await awaitPointerCode(page);
  await priceOf(page).hover();
  await expect(tooltipOf(page)).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/status/);
  await expect(tooltipOf(page)).toBeHidden();
});
