import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ colorScheme: 'light', timezoneId: 'Asia/Kolkata' });

/** Finds the time of the exchange's last response. */
function lastResponseOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Exchange' }).locator('time').first();
}

async function choose(page: Page, group: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Preferences' }).click();
  await page.getByRole('group', { name: group }).getByRole('radio', { name: choice, exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

test('a theme overrides the system, survives a reload, and applies to another tab at once', async ({
  page,
  context,
}) => {
  await page.goto('/status');
  const other = await context.newPage();
  await other.goto('/status');
  await choose(page, 'Theme', 'Dark');
  for (const tab of [page, other]) await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 23)');
});

test('the time zone is carried to other screens, kept when going back to before it was chosen, and added to an address without one', async ({
  page,
}) => {
  await page.goto('/status');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await choose(page, 'Time zone', 'Local');
  await expect(page).toHaveURL(/\/volume(?:\/\w+)?\?(?:.*&)?zone=local/);
  await page.goBack();
  await expect(page).toHaveURL('/status?zone=local');
  await page.getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page).toHaveURL(/\/volume\/\w+\?zone=local$/);
  await page.goto('/status');
  await expect(page).toHaveURL('/status?zone=local');
  await expect(lastResponseOf(page)).toHaveText(/ local$/);
  // This is one step, because the exchange may respond again at any time.
  const { at, text } = await lastResponseOf(page).evaluate((time: HTMLTimeElement) => ({
    at: Date.parse(time.dateTime),
    text: time.textContent,
  }));
  const kolkata = new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  expect(text).toBe(`${kolkata} local`);
});
