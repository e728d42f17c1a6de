import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

const message = 'broken on purpose';
const failure = { name: 'This part of the page stopped working' };

test.use({ live: false, provoked: new RegExp(message) });

/** Patches the real bundle so that rendering the given text throws until the page is repaired. */
async function breakRenderingOf(page: Page, text: string): Promise<void> {
  await page.addInitScript(() => Object.assign(globalThis, { isBroken: true }));
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    await route.fulfill({
      response,
      body: code.replace(
        new RegExp(`(["'\`])${text}\\1`, 'g'),
        `(globalThis.isBroken?(()=>{throw new Error('${message}')})():'${text}')`,
      ),
    });
  });
}

test('a crashing panel leaves the others alone, and recovers with the next response', async ({ page }) => {
  await breakRenderingOf(page, 'Clock offset');
  await page.goto('/status');
  const region = page.getByRole('region', { name: 'Exchange' });
  await expect(region.getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Request budget' }).getByText('Refill', { exact: true })).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { isBroken: false }));
  await expect(region.getByRole('heading', failure)).toBeHidden({ timeout: 15_000 });
});

test('a crash of the page’s frame still shows an error', async ({ page }) => {
  await breakRenderingOf(page, 'Skip to content');
  await page.goto('/');
  await expect(page.getByRole('alert').getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
});
