import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './watched-page.ts';

const message = 'broken on purpose';
const switchName = 'brokenOnPurpose';

/** Rewrites the real bundle on its way, so that drawing the given text throws until the page's switch is turned off. */
async function breakDrawingOf(page: Page, text: string): Promise<void> {
  const literal = new RegExp(`(["'\`])${text}\\1`, 'g');
  await page.addInitScript((name) => Object.assign(globalThis, { [name]: true }), switchName);
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    const code = await response.text();
    const broken = code.replace(
      literal,
      `(globalThis.${switchName}?(()=>{throw new Error('${message}')})():'${text}')`,
    );
    await route.fulfill({ response, body: broken });
  });
}

/** A screen, a text that it draws itself, and what is there once it is drawn. */
const screen = { path: '/status', text: 'Where answers came from', heading: 'Request budget' } as const;
/** A text that one panel of it draws. */
const panel = { text: 'Clock against ours', name: 'Venue' } as const;

const failure = { name: 'This part of the page stopped working' };

test.use({ provoked: new RegExp(message) });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, viewport: { width: 1440, height: 900 } });

    test('a screen that breaks says so in its place, and the bar stays', async ({ page }) => {
      await breakDrawingOf(page, screen.text);
      await page.goto(screen.path);
      await expect(page.getByRole('main').getByRole('alert').getByRole('heading', failure)).toBeVisible();
      await expect(page.getByRole('banner').getByRole('link', { name: 'Perpdesk' })).toBeVisible();
      await page.getByText('What went wrong').click();
      await expect(page.getByText(message)).toBeVisible();
      await page.screenshot({ path: `e2e/artifacts/screens/failure-${colorScheme}-1440.png` });
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the report of what went wrong stays within the width there is', async ({ page }) => {
    await breakDrawingOf(page, screen.text);
    await page.goto(screen.path);
    await page.getByText('What went wrong').click();
    await expect(page.getByText(message)).toBeVisible();
    expect(await page.getByRole('main').evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(360);
    await page.screenshot({ path: 'e2e/artifacts/screens/failure-light-360.png' });
  });
});

test('a screen that broke comes back when tried again', async ({ page }) => {
  await breakDrawingOf(page, screen.text);
  await page.goto(screen.path);
  await expect(page.getByRole('heading', failure)).toBeVisible();
  await page.evaluate((name) => Object.assign(globalThis, { [name]: false }), switchName);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: screen.heading })).toBeVisible();
  await expect(page.getByRole('heading', failure)).toBeHidden();
});

test('a panel that breaks takes only itself along', async ({ page }) => {
  await breakDrawingOf(page, panel.text);
  await page.goto(screen.path);
  await expect(page.getByRole('region', { name: panel.name }).getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('region', { name: screen.heading }).getByText('Comes back')).toBeVisible();
});

test('a panel that broke comes back with the next answer', async ({ page }) => {
  await breakDrawingOf(page, panel.text);
  await page.goto(screen.path);
  const region = page.getByRole('region', { name: panel.name });
  await expect(region.getByRole('heading', failure)).toBeVisible();
  await page.evaluate((name) => Object.assign(globalThis, { [name]: false }), switchName);
  await expect(region.getByRole('heading', failure)).toBeHidden({ timeout: 15_000 });
});

test('a screen that is still broken says so again', async ({ page, complaints }) => {
  await breakDrawingOf(page, screen.text);
  await page.goto(screen.path);
  await expect(page.getByRole('heading', failure)).toBeVisible();
  const before = complaints.length;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => complaints.length).toBeGreaterThan(before);
  await expect(page.getByRole('heading', failure)).toBeVisible();
});

test('when the shell itself breaks the page still says so', async ({ page }) => {
  await breakDrawingOf(page, 'Perpdesk');
  await page.goto('/');
  await expect(page.getByRole('alert').getByRole('heading', failure)).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
});
