import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { manageViews, readWorking, saveView, viewsButton, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const test = withDesk(['--working', '50']);

// The tests run in one worker, because a second one would start the same servers again.
test.describe.configure({ mode: 'default' });

const list = (page: Page) => page.getByRole('grid', { name: 'Changes', exact: true });

async function openActivity(page: Page): Promise<string> {
  await readWorking(page);
  const { orders } = (await (await page.request.get('/api/desk/working')).json()) as {
    readonly orders: readonly { readonly symbol: string }[];
  };
  await page.goto('/orders/activity');
  await expect(list(page)).toBeVisible({ timeout: 15_000 });
  return orders[0]?.symbol ?? '';
}

test('a view of activity is saved and opened again, by the keyboard and from the palette, and is no view of another list', async ({
  page,
}) => {
  const symbol = await openActivity(page);
  await page.goto(`/orders/activity?f=product:is:${symbol}`);
  await expect(list(page)).toBeVisible({ timeout: 15_000 });
  await saveView(page, 'One product');
  await page.goto('/orders/activity');
  await expect(list(page)).toBeVisible({ timeout: 15_000 });
  await viewsButton(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(
    page.getByRole('dialog', { name: 'Open a view' }).getByRole('button', { name: 'One product' }),
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`f=product%3Ais%3A${symbol}`));
  await expect(page).toHaveURL(/view=One\+product/);
  await expect(page.getByRole('textbox', { name: 'Product' })).toHaveValue(symbol);
  await page.goto('/orders/activity');
  await expect(viewsButton(page)).toHaveText('Views');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('one product');
  await page.getByRole('option', { name: /One product/ }).click();
  await expect(page).toHaveURL(/view=One\+product/);
  await manageViews(page);
  await expectNoViolation(page);
  await page.goto('/orders/history');
  await viewsButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Open a view' })).toContainText('No saved views.');
});

test('columns of changes are chosen in their dialog, stay so, and go back to the default ones', async ({ page }) => {
  await openActivity(page);
  const heading = list(page).getByRole('columnheader', { name: /^Connection/ });
  await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Columns' });
  await dialog.getByRole('checkbox', { name: 'Connection' }).uncheck();
  await expect(page).toHaveURL(/cols=/);
  await page.keyboard.press('Escape');
  await page.goto('/orders/activity');
  await expect(list(page)).toBeVisible({ timeout: 15_000 });
  await expect(heading).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await dialog.getByRole('button', { name: /default/i }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Connection' })).toBeChecked();
  await page.keyboard.press('Escape');
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await takeShot(page, `activity-tools-${String(width)}`);
  }
});
