import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ colorScheme: 'light', timezoneId: 'Asia/Kolkata' });

/** When the venue answered last. */
function momentOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Venue' }).locator('time').first();
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

test('a theme holds against the system, after a reload, and in another tab at once', async ({ page, context }) => {
  await page.goto('/status');
  const other = await context.newPage();
  await other.goto('/status');
  await choose(page, 'Theme', 'Dark');
  for (const tab of [page, other]) await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(14, 17, 23)');
});

test('each pair of colours is a pair, and red for up swaps the two', async ({ page }) => {
  await page.goto('/status');
  const usual = [await tokenOf(page, '--up'), await tokenOf(page, '--down')];
  await choose(page, 'Up and down', 'Red, green');
  expect([await tokenOf(page, '--up'), await tokenOf(page, '--down')]).toEqual(usual.toReversed());
  for (const pair of ['Blue, orange', 'No colour']) {
    await choose(page, 'Up and down', pair);
    const colours = [await tokenOf(page, '--up'), await tokenOf(page, '--down')];
    expect(new Set([...usual, ...colours]).size).toBe(4);
  }
});

test('times are in the zone chosen, a link shows the same to another reader, and three zones are a hover away', async ({ page, strangersPage }) => {
  await page.goto('/status');
  const moment = momentOf(page);
  await expect(moment).toHaveText(/UTC$/);
  await choose(page, 'Times are in', 'Chicago');
  await expect(page).toHaveURL('/status?zone=chicago');
  await expect(moment).toHaveText(/Chicago$/);
  await moment.hover();
  await expect(moment).toHaveAttribute('title', /UTC\n.* local\n.* Chicago/);
  const link = page.url();
  await strangersPage.goto(link);
  await expect(momentOf(strangersPage)).toHaveText(/Chicago$/);
});

test('the zone goes along to other screens, and into an address that names none', async ({ page }) => {
  await page.goto('/status');
  await choose(page, 'Times are in', 'Local');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page).toHaveURL('/volume?zone=local');
  await page.goto('/status');
  await expect(page).toHaveURL('/status?zone=local');
  await expect(momentOf(page)).toHaveText(/ local$/);
  // Both at once: the venue may answer again at any moment.
  const { at, text } = await momentOf(page).evaluate((time: HTMLTimeElement) => ({ at: Date.parse(time.dateTime), text: time.textContent }));
  const kolkata = new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  expect(text).toBe(`${kolkata} local`);
});

test('the zone holds after going back to where it was not chosen yet', async ({ page }) => {
  await page.goto('/status');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await choose(page, 'Times are in', 'Chicago');
  await page.goBack();
  await expect(page).toHaveURL('/status?zone=chicago');
  await expect(momentOf(page)).toHaveText(/Chicago$/);
});

test('a link that names a zone does not change what its reader prefers', async ({ page }) => {
  await page.goto('/status?zone=chicago');
  await expect(momentOf(page)).toHaveText(/Chicago$/);
  await page.goto('/status');
  await expect(momentOf(page)).toHaveText(/UTC$/);
  await expect(page).toHaveURL('/status');
});

test('rows are lower when compact, and a reset undoes everything', async ({ page }) => {
  await page.goto('/status');
  const row = page.getByRole('region', { name: 'Endpoints' }).getByRole('row').nth(1);
  await expect(row).toHaveCSS('height', '28px');
  await choose(page, 'Rows', 'Compact');
  await choose(page, 'Theme', 'Dark');
  await expect(row).toHaveCSS('height', '24px');
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('button', { name: 'Reset all' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
  await page.keyboard.press('Escape');
  await expect(row).toHaveCSS('height', '28px');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});
