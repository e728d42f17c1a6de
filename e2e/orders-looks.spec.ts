import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { openOrders, orderGrid, test } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const sizes = [
  [360, 740],
  [1440, 900],
  [2560, 1440],
] as const;
const desktop = [[1440, 900]] as const;

/** Filters the list to a few rows of each kind, which show as much as all, in a tenth of the time. */
async function leaveFew(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('PSHBUNZ50 NORD');
  await expect(page.locator('footer')).toContainText(/^\d{1,2} of 1,200 shown/);
}

// The accessibility check inspects every visible cell: on a busy machine that may take a minute.
test.describe.configure({ timeout: 90_000 });

test('the list fits the width in every look and is accessible', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openOrders(page, '?group=account&f=side:is:Bid');
  await inEachLook(page, sizes, async (look) => {
    await expect
      .poll(() =>
        orderGrid(page).locator('[data-tone=attention]').or(orderGrid(page).locator('[data-column=price]')).count(),
      )
      .toBeGreaterThan(5);
    await expectToFit(page, look);
    await takeShot(page, `orders-${look.colorScheme}-${String(look.width)}`);
  });
  await leaveFew(page);
  await inEachLook(page, sizes, (look) => expectAccessible(page, look));
});

test('an order, the depth and the completeness check are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openOrders(page);
  await orderGrid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Order' })).toBeVisible();
  await leaveFew(page);
  await expectEachTheme(page, 'detail');
  for (const panel of ['Depth', 'Exposure', 'Completeness']) {
    await page.getByRole('button', { name: panel, exact: true }).click();
    await expect(
      page
        .getByRole('complementary')
        .getByRole('table')
        .or(page.getByRole('grid', { name: 'Exposure by account' })),
    ).toBeVisible();
    await expectEachTheme(page, panel.toLowerCase());
  }
});

test('the dialogs and a list without matches are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openOrders(page);
  await leaveFew(page);
  for (const dialog of ['Filter', 'Quick filters', 'Columns', 'Export']) {
    await page.getByRole('button', { name: dialog, exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectEachTheme(page, dialog.toLowerCase());
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  }
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const filter = page.getByRole('dialog');
  await filter.getByLabel('Column').selectOption('id');
  await expectEachTheme(page, 'filter-id');
  await filter.getByLabel('Column').selectOption('time');
  await filter.getByLabel('From', { exact: true }).fill('soon');
  await expect(filter.getByText('Not a time')).toBeVisible();
  await expectEachTheme(page, 'filter-time');
  await filter.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Open a view' })).toBeVisible();
  await expectEachTheme(page, 'open-view');
  await page.getByRole('button', { name: 'Save or manage…' }).click();
  await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
  await expectEachTheme(page, 'views');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('searchbox').fill('no such order');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await expectEachTheme(page, 'no-match');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(orderGrid(page)).toBeVisible();
});

async function expectEachTheme(page: Page, name: string): Promise<void> {
  await inEachLook(page, desktop, async (look) => {
    await takeShot(page, `orders-${name}-${look.colorScheme}-1440`);
    await expectAccessible(page, look);
  });
}
