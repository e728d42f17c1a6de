import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

/** Each screen, and an element that is visible once it is rendered. */
const screens = [
  // Rows are alike, so a few of each kind show as much as all, in a tenth of the time.
  { path: '/?q=kilo', drawn: (page: Page): Locator => page.getByRole('grid', { name: 'Markets' }) },
  { path: '/price', drawn: (page: Page): Locator => page.getByRole('application').locator('canvas').first() },
  { path: '/volume', drawn: (page: Page): Locator => page.getByRole('application').locator('canvas').first() },
  { path: '/status', drawn: (page: Page): Locator => page.getByRole('heading', { name: 'Allowed requests' }) },
  { path: '/nowhere', drawn: (page: Page): Locator => page.getByRole('heading', { name: 'Page not found' }) },
];
const dialogs = { palette: 'Control+k', preferences: ',', keys: '?' };

/** Screens that show price direction in text; `chart-looks.spec.ts` covers charts. */
const coloured = screens.filter(({ path }) => path !== '/price' && path !== '/volume');

for (const colorScheme of ['light', 'dark'] as const) {
  for (const palette of ['green-red', 'blue-orange', 'mono']) {
    test.describe(`in the ${colorScheme} theme, ${palette}`, () => {
      test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });
      test.beforeEach(async ({ page }) => {
        await page.addInitScript((stored) => {
          localStorage.setItem('perpdesk.preferences', stored);
        }, JSON.stringify({ version: 1, palette }));
      });

      for (const { path, drawn } of palette === 'green-red' ? screens : coloured) {
        test(`${path} has no accessibility violation`, async ({ page }) => {
          await page.goto(path);
          await expect(drawn(page)).toBeVisible();
          await expect(page.getByText('Loading…')).toHaveCount(0);
          await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' || palette !== 'green-red' });
        });
      }
    });
  }

  for (const [name, key] of Object.entries(dialogs)) {
    test(`the ${name} dialog has no accessibility violation in the ${colorScheme} theme`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto('/status');
      await expect(page.getByRole('heading', { name: 'Status' })).toBeVisible();
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toBeVisible();
      if (name === 'palette') await expect(page.getByRole('option').nth(10)).toBeVisible();
      await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' });
      await takeShot(page, `${name}-${colorScheme}-1280`);
    });
  }
}

test.describe('at the width of a phone', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('there is no accessibility violation, and every target is at least 24 px high', async ({ page }) => {
    await page.goto('/status');
    await expect(page.getByRole('heading', { name: 'Allowed requests' })).toBeVisible();
    await expectNoViolation(page);
    const sizes = await page.getByRole('button').or(page.locator('summary')).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
  });
});
