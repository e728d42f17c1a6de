import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ colorScheme: 'light', timezoneId: 'Asia/Kolkata' });

/** The time of the exchange's last response. */
function lastResponseOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Exchange' }).locator('time').first();
}

async function choose(page: Page, group: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('group', { name: group }).getByRole('radio', { name: choice, exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

function tokenOf(page: Page, name: string): Promise<string> {
  return page.evaluate((token) => getComputedStyle(document.documentElement).getPropertyValue(token), name);
}

test('a theme overrides the system, survives a reload, and applies to another tab at once', async ({ page, context }) => {
  await page.goto('/status');
  const other = await context.newPage();
  await other.goto('/status');
  await choose(page, 'Theme', 'Dark');
  for (const tab of [page, other]) await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 23)');
});

test('each price palette has two colours, and red for up swaps them', async ({ page }) => {
  await page.goto('/status');
  const usual = [await tokenOf(page, '--up'), await tokenOf(page, '--down')];
  await choose(page, 'Price colours', 'Red / green');
  expect([await tokenOf(page, '--up'), await tokenOf(page, '--down')]).toEqual(usual.toReversed());
  for (const pair of ['Blue / orange', 'Monochrome']) {
    await choose(page, 'Price colours', pair);
    const colours = [await tokenOf(page, '--up'), await tokenOf(page, '--down')];
    expect(new Set([...usual, ...colours]).size).toBe(4);
  }
});

test('times use the chosen zone, a link shows the same to another person, and hovering shows three zones', async ({ page, strangersPage }) => {
  await page.goto('/status');
  const moment = lastResponseOf(page);
  await expect(moment).toHaveText(/UTC$/);
  await choose(page, 'Time zone', 'Chicago');
  await expect(page).toHaveURL('/status?zone=chicago');
  await expect(moment).toHaveText(/Chicago$/);
  await moment.hover();
  await expect(moment).toHaveAttribute('title', /UTC\n.* local\n.* Chicago/);
  const link = page.url();
  await strangersPage.goto(link);
  await expect(lastResponseOf(strangersPage)).toHaveText(/Chicago$/);
});

test('the time zone is carried to other screens, and added to an address without one', async ({ page }) => {
  await page.goto('/status');
  await choose(page, 'Time zone', 'Local');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page).toHaveURL(/\/volume\?zone=local&product=\w+$/);
  await page.goto('/status');
  await expect(page).toHaveURL('/status?zone=local');
  await expect(lastResponseOf(page)).toHaveText(/ local$/);
  // In one step, since the exchange may respond again at any time.
  const { at, text } = await lastResponseOf(page).evaluate((time: HTMLTimeElement) => ({ at: Date.parse(time.dateTime), text: time.textContent }));
  const kolkata = new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  expect(text).toBe(`${kolkata} local`);
});

test('the time zone is kept when going back to before it was chosen', async ({ page }) => {
  await page.goto('/status');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await choose(page, 'Time zone', 'Chicago');
  await page.goBack();
  await expect(page).toHaveURL('/status?zone=chicago');
  await expect(lastResponseOf(page)).toHaveText(/Chicago$/);
});

test('a link with a time zone does not change the preference', async ({ page }) => {
  await page.goto('/status?zone=chicago');
  await expect(lastResponseOf(page)).toHaveText(/Chicago$/);
  await page.goto('/status');
  await expect(lastResponseOf(page)).toHaveText(/UTC$/);
  await expect(page).toHaveURL('/status');
});

test('compact rows are lower, and a reset restores all defaults', async ({ page }) => {
  await page.goto('/status');
  const row = page.getByRole('region', { name: 'Endpoints' }).getByRole('row').nth(1);
  await expect(row).toHaveCSS('height', '28px');
  await choose(page, 'Row density', 'Compact');
  await choose(page, 'Theme', 'Dark');
  await expect(row).toHaveCSS('height', '24px');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
  await page.keyboard.press('Escape');
  await expect(row).toHaveCSS('height', '28px');
  expect(await page.evaluate(() => localStorage.getItem('perpdesk.preferences'))).toBeNull();
});
